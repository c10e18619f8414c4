/** The step that makes the topics, from `contracts/events/topics.ts`. Safe to repeat; what exists is left as it is. */
import { allTopics } from '@passerelle/contracts/events/topics'
import { createTopics, kafkaClient } from '@passerelle/kit/bus'
import { KafkaConfig, readConfiguration } from '@passerelle/kit/configuration'
import { createLog } from '@passerelle/kit/log'
import { z } from 'zod'

const schema = z.object({
  ...KafkaConfig.shape,
  NAMESPACE: z.string().default(''),
  /** Copies of each partition; 3 in production. */
  KAFKA_REPLICATION: z.coerce.number().int().min(1).default(1),
})
const config = readConfiguration('topics', schema, process.env)
const log = createLog('topics', 'info')
const kafka = kafkaClient({
  brokers: config.KAFKA_BROKERS,
  clientId: 'topics',
  log,
  ...(config.KAFKA_USERNAME && { username: config.KAFKA_USERNAME }),
  ...(config.KAFKA_PASSWORD && { password: config.KAFKA_PASSWORD }),
})
const made = await createTopics(
  kafka,
  allTopics.map((topic) => ({ ...topic, name: config.NAMESPACE + topic.name })),
  config.KAFKA_REPLICATION,
)
log.info({ made, there: allTopics.length }, 'topics')
