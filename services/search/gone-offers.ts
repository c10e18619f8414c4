/**
 * Offers that the supplier no longer sells. Lists of this process leave them out at once, those of other replicas within a second.
 * While Redis is down each process keeps its own list and shares it when Redis is back.
 */
import type { Cache } from '@passerelle/kit/redis'
import { nowMs } from '@passerelle/kit/runtime'

/** Longer than a list or a cached offer lives. */
const KEEP_MS = 10 * 60_000
/** The shared sets are split by time so that each expires as a whole; two of them cover what is kept. */
const SPAN_MS = KEEP_MS
const SYNC_MS = 1000
const MOST = 10_000

export type GoneOffers = {
  /** Resolves when the offer was written to Redis or the write failed. */
  add(offerId: string): Promise<void>
  /** Epoch milliseconds at which the supplier said so, from this process's memory. */
  goneAt(offerId: string): number | undefined
  /** The same, after reading this offer's entry in Redis. */
  ask(offerId: string): Promise<number | undefined>
  /** Reads what other replicas have shared, at most once a second. */
  sync(): Promise<void>
  /** Writes to Redis what could not be written yet. */
  share(): Promise<void>
  /** Grows with every offer that is added; 0: none. */
  version(): number
}

export function createGoneOffers(cache: Cache): GoneOffers {
  const known = new Map<string, number>()
  /** Not written to Redis yet. */
  const unshared = new Map<string, number>()
  let version = 0
  let syncedAt = Number.NEGATIVE_INFINITY
  let syncing: Promise<void> = Promise.resolve()

  const learn = (offerId: string, at: number) => {
    if ((known.get(offerId) ?? Number.NEGATIVE_INFINITY) >= at || nowMs() - at > KEEP_MS) return
    known.set(offerId, at)
    version += 1
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break
      known.delete(oldest)
    }
  }

  const forgetOld = (offers: Map<string, number>) => {
    for (const [offerId, at] of offers) if (nowMs() - at > KEEP_MS) offers.delete(offerId)
  }

  const share = async () => {
    const leaving = [...unshared]
    if (leaving.length === 0) return
    const members = leaving.map(([offerId, at]) => `${offerId}@${at}`)
    const taken = await Promise.all([
      cache.add(spanKey(nowMs()), members, SPAN_MS + KEEP_MS),
      ...leaving.map(([offerId, at]) => cache.set(offerKey(offerId), String(at), KEEP_MS)),
    ])
    if (taken.includes(false)) return
    for (const [offerId, at] of leaving) if (unshared.get(offerId) === at) unshared.delete(offerId)
  }

  const learnFromOthers = async () => {
    forgetOld(known)
    forgetOld(unshared)
    await share()
    const members = await Promise.all([cache.members(spanKey(nowMs())), cache.members(spanKey(nowMs() - SPAN_MS))])
    for (const member of members.flat()) {
      const [offerId = '', at] = member.split('@')
      learn(offerId, Number(at))
    }
  }

  return {
    async add(offerId) {
      const at = nowMs()
      learn(offerId, at)
      unshared.set(offerId, at)
      await share()
    },
    goneAt: (offerId) => known.get(offerId),
    async ask(offerId) {
      const at = Number((await cache.get(offerKey(offerId))) ?? Number.NaN)
      if (!Number.isNaN(at)) learn(offerId, at)
      return known.get(offerId)
    },
    sync() {
      if (nowMs() - syncedAt >= SYNC_MS) {
        syncedAt = nowMs()
        syncing = learnFromOthers()
      }
      return syncing
    },
    share,
    version: () => version,
  }
}

const offerKey = (offerId: string) => `gone:1:${offerId}`
const spanKey = (at: number) => `gone:1:from:${Math.floor(at / SPAN_MS) * SPAN_MS}`
