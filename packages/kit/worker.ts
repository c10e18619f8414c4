/** Work that repeats: one run at a time, a pause between runs, and a stop that waits for the run under way. */
import type { Log } from './log.ts'
import { delay } from './runtime.ts'

export type WorkerDefinition = {
  name: string
  everyMs: number
  /** Returns true when there is more to do at once. */
  run(signal: AbortSignal): Promise<boolean | undefined>
}

export type RunningWorker = { stop(): Promise<void> }

export function startWorker(definition: WorkerDefinition, log: Log): RunningWorker {
  const stopping = new AbortController()
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let more: boolean | undefined = false
      try {
        more = await definition.run(stopping.signal)
      } catch (err) {
        log.warn({ err, worker: definition.name }, 'worker run failed')
        await delay(Math.min(1000, definition.everyMs), stopping.signal)
      }
      if (!more) await delay(definition.everyMs, stopping.signal)
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

type ClaimingWorker<T> = {
  name: string
  /** How often it looks for due items while it has a free place. */
  everyMs: number
  /** Items that are worked on at once. */
  concurrency: number
  /** Takes the next due item, so that no other worker gets it; null when none is due. */
  claim(): Promise<T | null>
  /** Errors are logged; the item is due again when its claim ends. The signal is aborted when the process is to stop. */
  work(item: T, signal: AbortSignal): Promise<unknown>
  log: Log
}

/** A worker that claims the next due item as soon as one ends: a slow item takes up its own place and delays no other. */
export function claimAndRun<T>({ name, everyMs, concurrency, claim, work, log }: ClaimingWorker<T>): WorkerDefinition {
  return {
    name,
    everyMs,
    async run(signal) {
      const running = new Set<Promise<void>>()
      const fill = async () => {
        while (running.size < concurrency && !signal.aborted) {
          const item = await claim()
          if (item === null) return
          const done: Promise<void> = Promise.resolve(work(item, signal))
            .catch((err) => log.warn({ err, worker: name }, 'an item failed'))
            .then(() => void running.delete(done))
          running.add(done)
        }
      }
      do {
        await fill().catch((error) => {
          // The items under way are waited for before the run ends.
          if (running.size === 0) throw error
          log.warn({ err: error, worker: name }, 'the next item could not be claimed')
        })
        const settled = new AbortController()
        if (running.size > 0) await Promise.race([...running, delay(everyMs, settled.signal)])
        settled.abort()
      } while (running.size > 0)
      return false
    },
  }
}
