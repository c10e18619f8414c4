/**
 * Ready answers of public reads and pages, in front of everything else: the same bytes for everybody who asks the same of one brand, in
 * one mode and encoding. How long an answer is kept is what its own Cache-Control says; errors and answers with cookies are never kept.
 * Rate limits and the count of searches hold for answers from here as for all others.
 *
 * A hit is why this file is fast: no promise, no parsing, one lookup by the address as it was sent; what it counts is told in batches.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { networkOf } from '@passerelle/contracts/rules/network'
import { REQUEST_ID_HEADER } from '@passerelle/kit/auth'
import type { Metrics } from '@passerelle/kit/metrics'
import { every, monotonicMs, nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'
import { type Answer, capture } from './answer-capture.ts'
import { type Encoding, encodingOf, matches, wantsFresh, wantsNothingKept } from './cache-headers.ts'
import type { BrandContext, KnownContext } from './caller.ts'
import type { SessionCookies } from './cookies.ts'
import type { RateLimits, RouteLimits } from './limits.ts'
import { addressOf, brandOf, requestIdOf, securityHeaders } from './middleware.ts'
import type { PublicRead, PublicReads } from './public-reads.ts'
import type { SearchTally } from './search-tally.ts'
import type { SessionCache } from './session.ts'

type AnswerMemoryTools = {
  reads: PublicReads
  brands: BrandContext
  cookies: SessionCookies
  sessions: Pick<SessionCache, 'seen'>
  limits: RateLimits
  tally: Pick<SearchTally, 'add'>
  metrics: Metrics
  secure: boolean
  trustedHops: number
  /** Of all answers together; 0 keeps none. */
  maxBytes: number
}

type AnswerMemory = {
  front(app: RequestListener): RequestListener
  /** Tells what has been counted since the last batch. */
  stop(): void
}

/** What one address asks for, of one brand and in one encoding, as it was sent; and how often it was answered since the last batch. */
type Place = Omit<PublicRead, 'route'> & {
  brandKey: string
  routeLimits: RouteLimits | undefined
  /** The brand and mode that `answerKey` is for. */
  context: KnownContext | undefined
  answerKey: string
  hits: number
  /** How long the first of them took. */
  seconds: number
}

const MOST_ADDRESSES = 20_000
const LONGEST_ADDRESS = 1000
/** Bytes of an entry besides its body. */
const ENTRY_BYTES = 1000
const BATCH_MS = 500

export function answerMemory(tools: AnswerMemoryTools): AnswerMemory {
  const { reads, brands, cookies, sessions, limits, tally, metrics, secure, trustedHops, maxBytes } = tools
  const fixed = securityHeaders(secure).flat()
  const places = new LRUCache<string, Place>({ max: MOST_ADDRESSES })
  const answers = new LRUCache<string, Answer>({ maxSize: maxBytes || 1, sizeCalculation: ({ body }) => body.length + ENTRY_BYTES })
  const hosts = new LRUCache<string, string>({ max: 1000, memoMethod: (host) => brandOf({ host }) })
  const encodings = new LRUCache<string, Encoding>({ max: 500, memoMethod: encodingOf })
  const limitsOf = new Map<string, RouteLimits | null>()
  const counted = new Set<Place>()
  const underWay = new Map<string, Promise<void>>()

  const tell = (place: Place) => {
    const { hits, seconds, context, name, searchKey } = place
    place.hits = 0
    metrics.answerMemory.inc({ route: name, result: 'hit' }, hits)
    const duration = metrics.httpDuration.labels({ route: name, method: 'GET', status: '200' })
    for (let i = 0; i < hits; i++) duration.observe(seconds)
    if (searchKey && context) tally.add(context.mode, searchKey, hits)
  }
  const tellAll = () => {
    for (const place of counted) tell(place)
    counted.clear()
  }
  const endBatches = every(BATCH_MS, tellAll)

  const placeOf = (request: IncomingMessage): Place | undefined => {
    const { url = '', headers } = request
    if (request.method !== 'GET' || url.length > LONGEST_ADDRESS || !reads.may(url)) return undefined
    const brandKey = headers.cookie ? brandOf(headers) : hosts.memo(headers.host ?? '')
    const encoding = encodings.memo(headers['accept-encoding'] ?? '')
    const address = `${encoding} ${brandKey} ${url}`
    const known = places.get(address)
    if (known) return known
    const read = reads.parse(url)
    if (!read || brandKey.startsWith('preview.')) return undefined
    const routeLimits = limitsFor(read)
    if (routeLimits === null) return undefined
    const key = `${encoding} ${brandKey} ${read.key}`
    const place: Place = {
      ...read,
      key,
      brandKey: read.brandKey ?? brandKey,
      routeLimits,
      context: undefined,
      answerKey: '',
      hits: 0,
      seconds: 0,
    }
    places.set(address, place)
    return place
  }
  const limitsFor = ({ name, route }: PublicRead): RouteLimits | null | undefined => {
    if (!route) return undefined
    const known = limitsOf.get(name)
    if (known !== undefined) return known
    const found = limits.inMemory(name, route)
    limitsOf.set(name, found)
    return found
  }
  /** Where the answer of this moment is kept. What was counted before belongs to the brand and mode of then. */
  const keyAt = (place: Place, context: KnownContext): string => {
    if (place.context !== context) {
      if (place.hits > 0) tell(place)
      place.context = context
      place.answerKey = `${context.version} ${place.key}`
    }
    return place.answerKey
  }

  /** Pages and the mode are another for those who are signed in. */
  const isPersonal = ({ keepSeconds }: Place, { headers }: IncomingMessage) =>
    keepSeconds !== undefined && headers.cookie !== undefined && cookies.read(headers) !== null

  /** False when the request must go on: its session is not known here yet, or a limit is reached. */
  const send = (answer: Answer, place: Place, request: IncomingMessage, response: ServerResponse): boolean => {
    const { headers } = request
    const token = headers.cookie === undefined ? null : cookies.read(headers)
    const sessionId = token === null ? null : sessions.seen(token)
    if (sessionId === undefined) return false
    const rateLimit = place.routeLimits?.take(networkOf(addressOf(request, trustedHops)), sessionId)
    if (rateLimit === null) return false
    const now = nowMs()
    const all = answer.headers.concat(
      'age',
      String(Math.max(0, Math.floor((now - answer.madeAt) / 1000))),
      'cache-status',
      `passerelle; hit; ttl=${Math.ceil((answer.freshUntil - now) / 1000)}`,
      REQUEST_ID_HEADER,
      requestIdOf(headers),
    )
    if (rateLimit) all.push('ratelimit', rateLimit)
    if (matches(headers['if-none-match'], answer.etag)) {
      response.writeHead(304, all).end()
      return true
    }
    all.push('content-length', String(answer.body.length))
    response.writeHead(200, all).end(answer.body)
    return true
  }

  const front = (app: RequestListener): RequestListener => {
    /** Asks the service, and keeps its answer unless brand or mode have changed meanwhile. */
    const ask = (place: Place, key: string, request: IncomingMessage, response: ServerResponse, status: string): Promise<void> => {
      metrics.answerMemory.inc({ route: place.name, result: 'miss' })
      const { context } = place
      const keep = (answer: Answer) => {
        if (brands.known(place.brandKey) !== context) return
        answers.set(key, { ...answer, headers: [...fixed, ...answer.headers, 'x-cache', 'hit'] })
      }
      const kept = capture(response, { status, keepSeconds: place.keepSeconds, keep })
      app(request, response)
      return kept
    }
    const wait = async (place: Place, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
      await underWay.get(key)
      if (response.destroyed) return
      const answer = answers.get(key)
      if (answer && send(answer, place, request, response)) return count(place, 0)
      await ask(place, key, request, response, 'passerelle; fwd=miss; collapsed')
    }
    return (request, response) => {
      const place = placeOf(request)
      const context = place && brands.known(place.brandKey)
      if (!place || !context || isPersonal(place, request) || wantsNothingKept(request.headers)) return app(request, response)
      const key = keyAt(place, context)
      if (wantsFresh(request.headers)) return void ask(place, key, request, response, 'passerelle; fwd=request')
      const answer = answers.get(key)
      if (answer && answer.freshUntil > nowMs()) {
        const began = place.hits === 0 ? monotonicMs() : 0
        if (!send(answer, place, request, response)) return app(request, response)
        return count(place, began)
      }
      if (underWay.has(key)) return void wait(place, key, request, response)
      underWay.set(
        key,
        ask(place, key, request, response, 'passerelle; fwd=miss').finally(() => underWay.delete(key)),
      )
    }
  }
  const count = (place: Place, began: number) => {
    if (place.hits++ > 0) return
    place.seconds = began === 0 ? 0 : (monotonicMs() - began) / 1000
    counted.add(place)
  }
  return {
    front: (app) => (maxBytes === 0 ? app : front(app)),
    stop() {
      endBatches()
      tellAll()
    },
  }
}
