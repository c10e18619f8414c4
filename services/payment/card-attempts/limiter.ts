/**
 * Whoever tries many cards until one works is stopped: each attempt takes a place before the provider is asked, by visitor and by network,
 * and gives it back unless the bank declines.
 */
import { AppError } from '@passerelle/contracts/error'
import { networkOf } from '@passerelle/contracts/rules/network'
import type { Caller } from '@passerelle/kit/auth'
import type { KeyedHash } from '@passerelle/kit/keyed-hash'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import { delay, monotonicMs, now, nowMs, randomId } from '@passerelle/kit/runtime'
import type { AttemptLimit, CardAttemptStore } from './store.ts'

type Attempting = Pick<Caller, 'visitorId' | 'ip' | 'mode'>

type CardAttemptLimits = {
  /** Declines of one visitor, and of one network, within `windowMs`; after that nothing is tried for `stopMs`. */
  perVisitor: number
  perNetwork: number
  windowMs: number
  stopMs: number
  /** How long an attempt waits for others that are under way. */
  waitMs: number
}

export type CardAttempt = { end(outcome: 'declined' | 'other'): Promise<void> }

export type CardAttemptLimiter = {
  /** @throws CARD_ATTEMPTS_STOPPED. Only looks: what it lets through may still be refused by `begin`. */
  refuseStopped(who: Attempting): Promise<void>
  /** @throws CARD_ATTEMPTS_STOPPED, RATE_LIMITED (too many are under way) */
  begin(who: Attempting): Promise<CardAttempt>
}

type Tools = { store: CardAttemptStore; hash: KeyedHash; limits: CardAttemptLimits; log: Log; metrics: Metrics }
type Subject = { id: string; kind: 'visitor' | 'network'; limit: AttemptLimit }

const POLL_MS = 150

export function cardAttemptLimiter({ store, hash, limits, log, metrics }: Tools): CardAttemptLimiter {
  const { windowMs, stopMs } = limits

  /** Addresses can be guessed, so they are stored under a keyed hash only. */
  function subjectsOf({ visitorId, ip, mode }: Attempting): Subject[] {
    const network: Subject = {
      id: `network:${hash('network', mode, networkOf(ip))}`,
      kind: 'network',
      limit: { declines: limits.perNetwork, windowMs, stopMs },
    }
    if (visitorId === null) return [network]
    const visitor: Subject = {
      id: `visitor:${hash('visitor', mode, visitorId)}`,
      kind: 'visitor',
      limit: { declines: limits.perVisitor, windowMs, stopMs },
    }
    return [visitor, network]
  }

  function stopped(until: Date, by: Subject['kind'] | 'either'): AppError {
    const seconds = Math.max(1, Math.ceil((until.getTime() - nowMs()) / 1000))
    const minutes = Math.ceil(seconds / 60)
    metrics.paymentOperations.inc({ operation: 'authorise', outcome: 'stopped' })
    log.warn({ by, seconds }, 'card attempts are stopped')
    return new AppError('CARD_ATTEMPTS_STOPPED', {
      message: `Too many declined cards. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or contact us.`,
      retryAfter: seconds,
    })
  }

  /** Attempts under way end soon: then there is room or a stop. */
  async function reserve({ id: subject, kind, limit }: Subject, id: string): Promise<void> {
    const waitUntil = monotonicMs() + limits.waitMs
    for (;;) {
      const reservation = await store.reserve(subject, id, limit, now())
      if (reservation.kind === 'reserved') return
      if (reservation.kind === 'stopped') throw stopped(reservation.until, kind)
      if (monotonicMs() >= waitUntil) throw new AppError('RATE_LIMITED', { retryAfter: 2 })
      await delay(POLL_MS)
    }
  }

  async function release(subjects: readonly Subject[], id: string): Promise<void> {
    await Promise.all(subjects.map((subject) => store.release(subject.id, id)))
  }

  return {
    async refuseStopped(who) {
      const subjects = subjectsOf(who)
      const until = await store.stoppedUntil(
        subjects.map(({ id }) => id),
        now(),
      )
      if (until) throw stopped(until, 'either')
    },
    async begin(who) {
      const subjects = subjectsOf(who)
      const id = randomId()
      const reserved: Subject[] = []
      try {
        for (const subject of subjects) {
          await reserve(subject, id)
          reserved.push(subject)
        }
      } catch (error) {
        await release(reserved, id)
        throw error
      }
      return {
        async end(outcome) {
          if (outcome === 'other') return release(subjects, id)
          await Promise.all(subjects.map((subject) => store.decline(subject.id, id, subject.limit, now())))
        },
      }
    },
  }
}
