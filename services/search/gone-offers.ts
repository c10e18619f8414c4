/**
 * Offers that the supplier has said are gone. Each leaves the lists of this process at once and those of the other replicas within a
 * second. While the shared cache is away every process knows what it was told itself, and tells the others when the cache is back.
 */
import type { Cache } from '@passerelle/kit/redis'

/** Longer than a list or a cached offer lives. */
const KEEP_MS = 10 * 60_000
/** The shared sets are cut by time, so that each is forgotten as a whole; two of them cover what is kept. */
const SPAN_MS = KEEP_MS
const SYNC_MS = 1000
const MOST = 10_000

export type GoneOffers = {
  /** Resolves when the other replicas can know, or when the shared cache did not take it. */
  add(offerId: string): Promise<void>
  /** Epoch milliseconds at which the supplier said so, as far as this process knows. */
  goneAt(offerId: string): number | undefined
  /** The same, after asking the shared cache about this one offer. */
  ask(offerId: string): Promise<number | undefined>
  /** Learns what other replicas were told; they are asked at most once a second. */
  sync(): Promise<void>
  /** Tells the others what the shared cache has not taken yet. */
  share(): Promise<void>
  /** Grows with every offer that is learnt of; 0: none. */
  version(): number
}

export function createGoneOffers(cache: Cache, clock: () => number): GoneOffers {
  const known = new Map<string, number>()
  /** What the shared cache has not taken yet. */
  const unshared = new Map<string, number>()
  let version = 0
  let syncedAt = Number.NEGATIVE_INFINITY
  let syncing: Promise<void> = Promise.resolve()

  const learn = (offerId: string, at: number) => {
    if ((known.get(offerId) ?? Number.NEGATIVE_INFINITY) >= at || clock() - at > KEEP_MS) return
    known.set(offerId, at)
    version += 1
    for (const oldest of known.keys()) {
      if (known.size <= MOST) break
      known.delete(oldest)
    }
  }

  const forgetOld = (offers: Map<string, number>) => {
    for (const [offerId, at] of offers) if (clock() - at > KEEP_MS) offers.delete(offerId)
  }

  const share = async () => {
    const leaving = [...unshared]
    if (leaving.length === 0) return
    const members = leaving.map(([offerId, at]) => `${offerId}@${at}`)
    const taken = await Promise.all([
      cache.add(spanKey(clock()), members, SPAN_MS + KEEP_MS),
      ...leaving.map(([offerId, at]) => cache.set(offerKey(offerId), String(at), KEEP_MS)),
    ])
    if (taken.includes(false)) return
    for (const [offerId, at] of leaving) if (unshared.get(offerId) === at) unshared.delete(offerId)
  }

  const learnFromOthers = async () => {
    forgetOld(known)
    forgetOld(unshared)
    await share()
    const members = await Promise.all([cache.members(spanKey(clock())), cache.members(spanKey(clock() - SPAN_MS))])
    for (const member of members.flat()) {
      const [offerId = '', at] = member.split('@')
      learn(offerId, Number(at))
    }
  }

  return {
    async add(offerId) {
      const at = clock()
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
      if (clock() - syncedAt >= SYNC_MS) {
        syncedAt = clock()
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
