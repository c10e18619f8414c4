/**
 * The step that makes the topics, from `contracts/events/topics.ts`, and says who may use them, from `access.ts`. Safe to repeat; topics
 * that exist are left as they are.
 */
import { allTopics } from '@passerelle/contracts/events/topics'
import { readConfiguration } from '@passerelle/kit/configuration'
import { createTopics, kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { applyRights, rights } from './access.ts'
import { topicsConfig } from './configuration.ts'

const config = readConfiguration('topics', topicsConfig, process.env)
const log = createLog('topics', 'info')
const kafka = kafkaClient({
  brokers: config.KAFKA_BROKERS,
  clientId: 'topics',
  log,
  ...(config.KAFKA_USERNAME && { username: config.KAFKA_USERNAME }),
  ...(config.KAFKA_PASSWORD && { password: config.KAFKA_PASSWORD }),
  mechanism: config.KAFKA_SASL_MECHANISM,
  tls: config.KAFKA_TLS,
})
const made = await createTopics(
  kafka,
  allTopics.map((topic) => ({ ...topic, name: config.NAMESPACE + topic.name })),
  config.KAFKA_REPLICATION,
)
log.info({ made, there: allTopics.length }, 'topics')
if (config.KAFKA_RIGHTS) log.info(await applyRights(kafka, rights(config.NAMESPACE)), 'rights')
