/** The servers and simulators of a local system as a process of their own: writes their addresses to a file when all of them answer. */
import { renameSync, writeFileSync } from 'node:fs'
import { startBackbone } from '@passerelle/servers/backbone'
import { keepFilesPrivate } from '@passerelle/servers/private-files'
import { onLeave } from './leaving.ts'
import { startSuppliers } from './suppliers.ts'
import { prepareTopics } from './topics.ts'

keepFilesPrivate()
const [, , file, dataDir, portList, webhookUrl] = process.argv
const { WEBHOOK_SECRET: webhookSecret } = process.env
const [mongo, kafka, redis] = (portList ?? '').split(',').map(Number)
if (!file || !dataDir || !mongo || !kafka || !redis)
  throw new Error('usage: [WEBHOOK_SECRET=...] world.ts <file> <data folder> <mongo,kafka,redis ports> [webhook address]')

const backbone = await startBackbone({ environment: process.env, dataDir, ports: { mongo, kafka, redis } })
await prepareTopics(backbone.KAFKA_BROKERS, process.env)
const suppliers = await startSuppliers({
  environment: process.env,
  dataDir,
  ...(webhookUrl && webhookSecret && { webhookUrl, webhookSecret }),
})
const { MONGO_URL, KAFKA_BROKERS, REDIS_URL, behind } = backbone
// Whoever waits for the file must never read half of it.
writeFileSync(
  `${file}.new`,
  JSON.stringify({
    backbone: { MONGO_URL, KAFKA_BROKERS, REDIS_URL, behind },
    suppliers: { environment: suppliers.environment, behind: suppliers.behind },
  }),
)
renameSync(`${file}.new`, file)

onLeave(
  async () => {
    await suppliers.stop()
    await backbone.stop()
  },
  () => undefined,
)
