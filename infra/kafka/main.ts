/**
 * The step that makes the topics, from `contracts/events/topics.ts`, and says who may use them, from `access.ts`. Safe to repeat; topics
 * that exist are left as they are.
 */
import { allTopics } from '@passerelle/contracts/events/topics'
import { Flag, KafkaConfig, readConfiguration } from '@passerelle/kit/configuration'
import { createTopics, kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { z } from 'zod'
import { applyRights, rights } from './access.ts'

const schema = z.object({
  ...KafkaConfig.shape,
  NAMESPACE: z.string().default(''),
  /** Copies of each partition; 3 in production. */
  KAFKA_REPLICATION: z.coerce.number().int().min(1).default(1),
  /** The broker asks who is there: each service gets its rights, and nobody has others. */
  KAFKA_RIGHTS: Flag,
})
const config = readConfiguration('topics', schema, process.env)
const log = createLog('topics', 'info')
const kafka = kafkaClient({
  brokers: config.KAFKA_BROKERS,
  clientId: 'topics',
  log,
  ...(config.KAFKA_USERNAME && { username: config.KAFKA_USERNAME }),
  ...(config.KAFKA_PASSWORD && { password: config.KAFKA_PASSWORD }),
  mechanism: config.KAFKA_SASL_MECHANISM,
})
const made = await createTopics(
  kafka,
  allTopics.map((topic) => ({ ...topic, name: config.NAMESPACE + topic.name })),
  config.KAFKA_REPLICATION,
)
log.info({ made, there: allTopics.length }, 'topics')
if (config.KAFKA_RIGHTS) log.info(await applyRights(kafka, rights(config.NAMESPACE)), 'rights')
