/** The world of the run under way, and its clock, timers and chance for the product. */
import { replaceRuntime } from '@passerelle/kit/runtime'
import type { World } from './world.ts'

const IDLE_AFTER_MS = 1500
const IDLE_LOOK_MS = 4000

let current: World | undefined

export function world(): World {
  if (!current) throw new Error('there is no simulation under way')
  return current
}

/** The product's time and random values come from this world until the returned function is called. */
export function enterWorld(next: World): () => void {
  current = next
  // Processes in which nothing happens look seldom, so that a run has fewer idle looks: timers may be late.
  const late = (ms: number) => next.chance.next() * (ms >= 200 && ms <= 1000 && next.quietMs > IDLE_AFTER_MS ? IDLE_LOOK_MS : 1)
  const restoreRuntime = replaceRuntime({
    now: () => Math.floor(next.now + (next.process?.skewMs ?? 0)),
    monotonic: () => next.elapsedMs,
    setTimer: (work, ms) => next.after(Math.max(0, ms) + late(ms), work, next.process),
    clearTimer: (timer) => void Object.assign(timer, { cancelled: true }),
    randomBytes: (size) => next.chance.bytes(size),
  })
  return () => {
    current = undefined
    restoreRuntime()
  }
}
