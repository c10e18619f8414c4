/**
 * The replicas behind a name that leads to each of them, as a headless Service does: calls take them in turn, and go round one that
 * fails again and again although it says that it is ready, and round addresses that nobody has any more. A name with one address is used
 * as it is.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Route } from '@passerelle/contracts/route'
import { canConnect, connectDispatcher } from './connect.ts'
import { isConnectionLost, isConnectionRefused } from './resilience.ts'
import { monotonicMs } from './runtime.ts'

export type Replicas = {
  /** Where the next call goes: `http://10.0.0.7:8080`; not to `but` when there is another one. */
  pick(but?: string): Promise<string>
  /** What became of a call. `leaving`: the replica is being stopped and asked to connect elsewhere. */
  note(origin: string, result: 'answered' | 'failed' | 'leaving'): void
  /** Whether a call may be made again elsewhere. */
  hasOthers(): boolean
}

const REFRESH_MS = 2000
/** In a row; after its time out a single one suffices. */
const FAILURES = 3
const OUT_MS = 10_000
const LONGEST_OUT_MS = 60_000
/** Its name leads to a replica that has gone for as long as resolvers remember it. */
const LEAVING_MS = 60_000
/**
 * So long after an answer that kept its connection a replica is there without asking: one that is stopped serves on for longer, and says
 * that it leaves. Later a connection is tried first, for a call is sent only once, and that connection tells nothing of the next call.
 */
const ANSWERED_MS = 1000

/** All addresses of one family: with two families each replica would count twice. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.filter(({ family }) => family === found[0]?.family).map(({ address }) => address)
}

type Record = { failures: number; outUntil: number; outMs: number; isLeaving: boolean }

export function createReplicas(url: string, resolve = addressesOf, canReach = canConnect): Replicas {
  const { protocol, hostname, port, origin: own } = new URL(url)
  // A certificate is for the name, and `localhost` is one machine with two addresses.
  const isFixed = protocol !== 'http:' || hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const records = new Map<string, Record>()
  const answeredAt = new Map<string, number>()
  /** Took no connection; asked again whenever the name is read. */
  const gone = new Set<string>()
  const asking = new Map<string, Promise<boolean>>()
  let origins: string[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  let turn = 0

  const read = async () => {
    readAt = monotonicMs()
    // While names cannot be resolved the known addresses stay.
    const addresses = await resolve(hostname).catch(() => [])
    if (addresses.length > 0)
      origins = addresses.map((address) => `http://${isIP(address) === 6 ? `[${address}]` : address}:${port || 80}`).sort()
    for (const seen of [records, answeredAt, gone]) for (const origin of seen.keys()) if (!origins.includes(origin)) seen.delete(origin)
    for (const origin of gone) void ask(origin)
    reading = undefined
  }
  const isOut = (origin: string) => (records.get(origin)?.outUntil ?? 0) > monotonicMs()
  const ask = (origin: string) => {
    const asked =
      asking.get(origin) ??
      canReach(origin).then((isReached) => {
        asking.delete(origin)
        if (isReached) gone.delete(origin)
        else gone.add(origin)
        return isReached
      })
    asking.set(origin, asked)
    return asked
  }
  const answersSince = (origin: string) => monotonicMs() - (answeredAt.get(origin) ?? Number.NEGATIVE_INFINITY) < ANSWERED_MS || ask(origin)
  const next = (but: string | undefined) => {
    const there = origins.filter((origin) => !gone.has(origin))
    const others = there.filter((origin) => origin !== but)
    const well = others.filter((origin) => !isOut(origin))
    const usable = [well, others, there, origins].find((list) => list.length > 0)
    return usable?.[turn++ % usable.length] ?? own
  }

  return {
    async pick(but) {
      if (isFixed) return own
      if (monotonicMs() - readAt > REFRESH_MS) reading ??= read()
      if (origins.length === 0) await reading
      for (let left = origins.length; left > 1; left--) {
        const origin = next(but)
        if (await answersSince(origin)) return origin
        // All at once: however many have gone, this call waits for two of them at most.
        for (const other of origins) void answersSince(other)
      }
      return next(but)
    },
    note(origin, result) {
      if (result === 'answered') answeredAt.set(origin, monotonicMs())
      else answeredAt.delete(origin)
      // Answers from before it began to leave may come after those that say so.
      if (records.get(origin)?.isLeaving && isOut(origin)) return
      if (result === 'answered') return void records.delete(origin)
      const record = records.get(origin) ?? { failures: 0, outUntil: 0, outMs: OUT_MS, isLeaving: false }
      records.set(origin, record)
      record.isLeaving = result === 'leaving'
      if (record.isLeaving) {
        record.outUntil = monotonicMs() + LEAVING_MS
        return
      }
      record.failures += 1
      // When many fail it is not they who are sick: half of them stay.
      const out = origins.filter((one) => isOut(one) && !records.get(one)?.isLeaving).length
      if (record.failures < FAILURES || isOut(origin) || (out + 1) * 2 > origins.length) return
      record.outUntil = monotonicMs() + record.outMs
      record.outMs = Math.min(LONGEST_OUT_MS, record.outMs * 2)
      record.failures = FAILURES - 1
    },
    hasOthers: () => origins.length > 1,
  }
}

/** @param connection the header of an answer on a connection that was to be kept; that of a refusal may be closed for other reasons */
export function resultOf(status: number, connection: string | null | undefined): 'answered' | 'failed' | 'leaving' {
  if (status === 500) return 'failed'
  return status < 400 && connection === 'close' ? 'leaving' : 'answered'
}

const known = new Map<string, Replicas>()

/** The same for everybody in this process who calls the url: who is sick for one caller is sick for all. */
export function replicasOf(url: string): Replicas {
  const replicas = known.get(url) ?? createReplicas(url)
  known.set(url, replicas)
  return replicas
}

/**
 * `fetch` of paths, on a replica. Made once more, elsewhere where there is another, when the first could not be reached, and when it
 * is safe to repeat and the first broke off or failed.
 */
export function fetchFrom(
  replicas: Replicas,
): (path: string, options: RequestInit, route?: Pick<Route, 'repeatable'>) => Promise<Response> {
  return async (path, options, route) => {
    const isSafe = options.method === 'GET' || route?.repeatable === true
    const first = await replicas.pick()
    try {
      const response = await fetch(first + path, { ...options, dispatcher: connectDispatcher })
      replicas.note(first, resultOf(response.status, response.headers.get('connection')))
      if (response.status !== 500 || !isSafe || !replicas.hasOthers()) return response
      await response.body?.cancel()
    } catch (error) {
      const isRefused = isConnectionRefused(error)
      if (isRefused) replicas.note(first, 'failed')
      if (!(isRefused && replicas.hasOthers()) && !(isSafe && isConnectionLost(error))) throw error
    }
    const second = await replicas.pick(first)
    const response = await fetch(second + path, { ...options, dispatcher: connectDispatcher })
    replicas.note(second, resultOf(response.status, response.headers.get('connection')))
    return response
  }
}
