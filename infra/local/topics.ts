import { allTopics } from '@passerelle/contracts/events/topics'
import type { Environment } from '@passerelle/kit/configuration'
import { createTopics, kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'

/** The explicit step that makes the topics; returns those that were missing. */
export async function prepareTopics(brokers: string, environment: Environment = {}): Promise<string[]> {
  const log = createLog('topics', 'error')
  const sasl = {
    username: environment.KAFKA_USERNAME ?? '',
    password: environment.KAFKA_PASSWORD ?? '',
    ...(environment.KAFKA_SASL_MECHANISM === 'plain' && { mechanism: 'plain' as const }),
    tls: environment.KAFKA_TLS === 'true',
  }
  const topics = allTopics.map((topic) => ({ ...topic, name: (environment.NAMESPACE ?? '') + topic.name }))
  return createTopics(kafkaClient({ brokers, clientId: 'topics', log, ...sasl }), topics, Number(environment.KAFKA_REPLICATION ?? 1))
}
