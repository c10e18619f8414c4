/** Topics as data: an explicit step creates them, no broker or client ever does by itself. */
import type { ServiceName } from '../route.ts'

export type Topic = { name: string; partitions: number; retentionMs: number; compact?: boolean }

const DAY = 24 * 60 * 60 * 1000

export const eventTopics: Record<Exclude<ServiceName, 'search'>, Topic> = {
  booking: { name: 'booking.events', partitions: 12, retentionMs: 7 * DAY },
  payment: { name: 'payment.events', partitions: 12, retentionMs: 7 * DAY },
  identity: { name: 'identity.events', partitions: 6, retentionMs: 7 * DAY },
  brand: { name: 'brand.events', partitions: 3, retentionMs: 7 * DAY },
}

/** Every consumer group, and so every dead-letter topic `<group>.dlq`. */
export const consumerGroups = ['booking', 'booking-mail', 'payment', 'identity', 'brand'] as const
export type ConsumerGroup = (typeof consumerGroups)[number]

export function deadLetterTopic(group: string): Topic {
  return { name: `${group}.dlq`, partitions: 1, retentionMs: 30 * DAY }
}

export const allTopics: readonly Topic[] = [...Object.values(eventTopics), ...consumerGroups.map(deadLetterTopic)]
