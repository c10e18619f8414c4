/** Whether the bus answers, asked every few seconds: a process that publishes seldom would learn of an outage from nothing else. */
import type { Kafka } from 'kafkajs'
import { withDeadline } from './resilience.ts'
import { delay } from './runtime.ts'

const EVERY_MS = 5000
const ANSWER_MS = 3000

export type BusProbe = { isUp(): boolean; stop(): Promise<void> }

export function startBusProbe(kafka: Kafka, everyMs = EVERY_MS): BusProbe {
  const stopping = new AbortController()
  let up = false
  const ask = async (): Promise<boolean> => {
    const admin = kafka.admin({ retry: { retries: 0 } })
    try {
      await withDeadline(
        'asking the bus',
        ANSWER_MS,
        admin.connect().then(() => admin.listTopics()),
      )
      return true
    } catch {
      return false
    } finally {
      await Promise.race([admin.disconnect().catch(() => undefined), delay(1000)])
    }
  }
  const loop = async () => {
    while (!stopping.signal.aborted) {
      up = await ask()
      await delay(everyMs, stopping.signal)
    }
  }
  const finished = loop()
  return {
    isUp: () => up,
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
