/** A visitor waits for an outcome up to one deadline for the whole answer. */
import { delay } from '@passerelle/kit/runtime'

/** What came of it by then; null when it takes longer, or failed. The work goes on. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const enough = new AbortController()
  const result = await Promise.race([work.catch(() => null), delay(Math.max(0, ms), enough.signal).then(() => null)])
  enough.abort()
  return result
}
