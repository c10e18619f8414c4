/** How far consumer groups are behind, as the broker tells it: it stays right while a consumer is stuck or elsewhere. */
import type { Kafka, SeekEntry } from 'kafkajs'
import type { Metrics } from './metrics.ts'
import { withDeadline } from './resilience.ts'
import { delay } from './runtime.ts'

/** What a group reads; `label` is its name in metrics. */
export type ConsumedTopics = { group: string; label: string; topics: readonly string[] }

const EVERY_MS = 15_000
const ANSWER_MS = 5000

/** Messages of a topic after what the group has committed; what was never committed is read from the beginning. */
export function lagOf(ends: readonly (SeekEntry & { low: string })[], committed: readonly SeekEntry[]): number {
  const offsets = new Map(committed.map(({ partition, offset }) => [partition, Number(offset)]))
  return ends.reduce((sum, { partition, offset, low }) => {
    const from = Math.max(offsets.get(partition) ?? -1, Number(low))
    return sum + Math.max(0, Number(offset) - from)
  }, 0)
}

/** Every replica reports the same figure, so it is there as long as one of them is. */
export function startLagReport(
  kafka: Kafka,
  consumed: readonly ConsumedTopics[],
  isUp: () => boolean,
  { consumerLag }: Metrics,
  everyMs = EVERY_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const report = async () => {
    const admin = kafka.admin({ retry: { retries: 0 } })
    const read = async () => {
      await admin.connect()
      for (const { group, label, topics } of consumed) {
        const committed = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
        for (const { topic, partitions } of committed)
          consumerLag.set({ group: label, topic }, lagOf(await admin.fetchTopicOffsets(topic), partitions))
      }
    }
    try {
      await withDeadline('reading offsets', ANSWER_MS, read())
    } catch {
      // The figure of before stays; that the bus is away is told by dependency_up.
    } finally {
      await Promise.race([admin.disconnect().catch(() => undefined), delay(1000)])
    }
  }
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await delay(everyMs, stopping.signal)
      if (!stopping.signal.aborted && consumed.length > 0 && isUp()) await report()
    }
  }
  const finished = loop()
  return {
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
