/** `make start`: everything in one process, until Ctrl-C. */
import { resolve } from 'node:path'
import { keepFilesPrivate } from '@passerelle/servers/private-files'
import { announcement } from './announcement.ts'
import { claimDataFolder, explain, leaveDataFolder, portOf, refuseTakenPorts, StartRefused } from './launcher.ts'
import { onLeave } from './leaving.ts'
import { startSystem } from './one-process.ts'
import { allAnswer, throughGateway } from './readiness.ts'

const environment = process.env
const dataDir = resolve(environment.DATA_DIR || '.data')
const began = performance.now()

if (environment.NODE_ENV === 'production') {
  console.error('This starts a development system; in production each service is a process of its own.')
  process.exit(1)
}

try {
  await startEverything()
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

async function startEverything(): Promise<void> {
  keepFilesPrivate()
  const port = portOf(environment, 'PORT', 8080)
  await claimDataFolder(dataDir, `http://localhost:${port}`)
  process.once('exit', () => leaveDataFolder(dataDir))
  await refuseTakenPorts(environment)
  const system = await startSystem({
    environment,
    dataDir,
    port,
    adminPort: portOf(environment, 'ADMIN_PORT', 9464),
    webDist: resolve(environment.WEB_DIST || 'web/dist'),
  })
  await allAnswer(throughGateway(system.url), (what) => new StartRefused(`${what} does not answer`))
  console.log(
    announcement({
      url: system.url.replace('127.0.0.1', 'localhost'),
      dataDir,
      startedMs: performance.now() - began,
      servers: system.backbone.behind,
      suppliers: system.suppliers.behind,
      adminPassword: system.secrets.isNew ? system.secrets.adminPassword : null,
    }),
  )
  onLeave(
    async () => {
      setTimeout(() => process.exit(1), 45_000).unref()
      await system.stop()
    },
    () => undefined,
  )
}
