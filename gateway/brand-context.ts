/** The brand of a host and the mode of the system, remembered briefly; what was known last serves while the brand service is away. */
import { type BrandSettings, brandApi } from '@passerelle/contracts/http/brand'
import type { Mode } from '@passerelle/contracts/http/common'
import { systemCaller, type Tokens } from '@passerelle/kit/auth'
import type { Log } from '@passerelle/kit/log'
import { peer } from '@passerelle/kit/peer'
import { nowMs, timeoutSignal } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'

const MODE_MS = 2000
const BRAND_MS = 20_000
/** A brand service that hangs holds nobody up for longer than this. */
const ANSWER_MS = 3000

export type BrandContext = {
  mode(requestId: string): Promise<Mode | null>
  brand(key: string, requestId: string): Promise<BrandSettings | null>
}

/** One question at a time per key; a failed one keeps what was known. */
function remembered<T>(freshMs: number, ask: (key: string, requestId: string) => Promise<T>, log: Log) {
  const kept = new LRUCache<string, { value: T; until: number }>({ max: 500 })
  const underWay = new Map<string, Promise<T | null>>()
  return async (key: string, requestId: string): Promise<T | null> => {
    const known = kept.get(key)
    if (known && known.until > nowMs()) return known.value
    let asking = underWay.get(key)
    if (!asking) {
      asking = ask(key, requestId)
        .then((value) => {
          kept.set(key, { value, until: nowMs() + freshMs })
          return value
        })
        .catch((err) => {
          log.warn({ err }, 'the brand service does not answer')
          if (known) kept.set(key, { value: known.value, until: nowMs() + 1000 })
          return known?.value ?? null
        })
        .finally(() => underWay.delete(key))
      underWay.set(key, asking)
    }
    return asking
  }
}

export function brandContext(brandUrl: string, tokens: Tokens, log: Log): BrandContext {
  const brands = peer(brandApi, brandUrl, tokens)
  const caller = (requestId: string) => systemCaller('gateway', { brand: 'default', mode: 'test', requestId })
  const soon = () => ({ signal: timeoutSignal(ANSWER_MS) })
  const modes = remembered(MODE_MS, async (_, requestId) => (await brands(caller(requestId)).systemMode(undefined, soon())).mode, log)
  const settings = remembered(
    BRAND_MS,
    (key, requestId) => brands(caller(requestId)).brandSettings({ params: { brandKey: key } }, soon()),
    log,
  )
  return { mode: (requestId) => modes('mode', requestId), brand: settings }
}
