/** Work that repeats: one run at a time, a pause between runs, and a stop that waits for the run under way. */
import type { Log } from './log.ts'
import { delay } from './runtime.ts'

export type WorkerDefinition = {
  name: string
  everyMs: number
  /** Answers true when there is more to do at once. */
  run(signal: AbortSignal): Promise<boolean | undefined>
}

export type RunningWorker = { stop(): Promise<void>; lastRunAt(): number }

export function startWorker(definition: WorkerDefinition, log: Log): RunningWorker {
  const stopping = new AbortController()
  let lastRun = Date.now()
  const loop = async () => {
    while (!stopping.signal.aborted) {
      let more: boolean | undefined = false
      try {
        more = await definition.run(stopping.signal)
      } catch (err) {
        log.warn({ err, worker: definition.name }, 'worker run failed')
        await delay(Math.min(1000, definition.everyMs), stopping.signal)
      }
      lastRun = Date.now()
      if (!more) await delay(definition.everyMs, stopping.signal)
    }
  }
  const finished = loop()
  return {
    lastRunAt: () => lastRun,
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
