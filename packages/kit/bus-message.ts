/** Events as Kafka messages: CloudEvents 1.0 in binary mode, the data as JSON and the attributes as headers. */
import { type EventDefinition, type EventEnvelope, eventType } from '@passerelle/contracts/event'
import type { KafkaMessage, Message } from 'kafkajs'

/** @param source the service that publishes it */
export function toMessage(event: EventEnvelope, source: string): Message {
  return {
    key: event.key,
    value: JSON.stringify(event.data),
    timestamp: String(Date.parse(event.at)),
    headers: {
      ce_specversion: '1.0',
      ce_id: event.id,
      ce_source: `/services/${source}`,
      ce_type: eventType(event),
      ce_subject: event.key,
      ce_time: event.at,
      ce_partitionkey: event.key,
      ce_sequence: String(event.sequence),
      'content-type': 'application/json',
      ...(event.requestId && { ce_requestid: event.requestId }),
      // CloudEvents' own: `traceparent` is the hop's, which instrumentations of Kafka set.
      ...(event.traceparent && { ce_traceparent: event.traceparent }),
    },
  }
}

/** The event, or why it cannot be read: `no-id`, `not-json` or `schema`. Never throws. */
export function parseEvent(message: KafkaMessage, definition: EventDefinition): EventEnvelope | string {
  const id = header(message, 'ce_id')
  if (!id) return 'no-id'
  let json: unknown
  try {
    json = JSON.parse(message.value?.toString('utf8') ?? '')
  } catch {
    return 'not-json'
  }
  const data = definition.schema.safeParse(json)
  if (!data.success) return 'schema'
  const sequence = Number(header(message, 'ce_sequence'))
  const requestId = header(message, 'ce_requestid')
  const traceparent = header(message, 'ce_traceparent')
  return {
    id,
    name: definition.name,
    version: definition.version,
    key: message.key?.toString('utf8') ?? '',
    at: header(message, 'ce_time') ?? '',
    sequence: Number.isSafeInteger(sequence) ? sequence : 0,
    data: data.data,
    ...(requestId && { requestId }),
    ...(traceparent && { traceparent }),
  }
}

/** A header's text; the first of several values. */
export function header(message: Pick<KafkaMessage, 'headers'>, name: string): string | undefined {
  const value = message.headers?.[name]
  return (Array.isArray(value) ? value[0] : value)?.toString()
}
