/** An event is declared once; topic, key and envelope follow from the row. Ids, statuses and amounts only: consumers ask the owner for anything personal. */
import type { z } from 'zod'
import type { ServiceName } from './route.ts'

export type EventDefinition<Name extends string = string, S extends z.ZodType = z.ZodType> = {
  owner: ServiceName
  /** `aggregate.past-tense`, e.g. `booking.confirmed`. */
  name: Name
  version: number
  schema: S
  /** The aggregate's id: events with one key are handled in order. */
  key: (data: z.output<S>) => string
}

export type EventData<E extends EventDefinition> = z.output<E['schema']>

/** An event as it is stored in an outbox and handed to a consumer. */
export type EventEnvelope<Data = unknown> = {
  /** Unique; the consumer's inbox remembers it. */
  id: string
  name: string
  version: number
  key: string
  /** ISO instant at which the state changed. */
  at: string
  /** Position in the aggregate's own history, 1, 2, 3... */
  sequence: number
  data: Data
  /** Request and trace that caused it, to follow one request across the bus. */
  requestId?: string
  traceparent?: string
}

export function event<const Name extends string, S extends z.ZodType>(
  owner: ServiceName,
  name: Name,
  version: number,
  schema: S,
  key: (data: z.output<S>) => string,
): EventDefinition<Name, S> {
  return { owner, name, version, schema, key }
}

/** One topic per owner, so that the order between, say, confirmed and cancelled holds. */
export function topicOf(definition: Pick<EventDefinition, 'owner'>): string {
  return `${definition.owner}.events`
}

/** CloudEvents type, e.g. `travel.booking.confirmed.v1`. */
export function eventType(definition: Pick<EventDefinition, 'name' | 'version'>): string {
  return `travel.${definition.name}.v${definition.version}`
}
