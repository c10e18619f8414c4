/**
 * Ready answers of public reads, in front of everything else: the same bytes for everybody who asks the same of one brand, in one mode
 * and encoding. How long an answer is kept is what its own Cache-Control says; errors and answers with cookies are never kept. Rate
 * limits and the count of searches hold for answers from here as for all others.
 */
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Contract } from '@passerelle/contracts/route'
import { networkOf } from '@passerelle/contracts/rules/network'
import { REQUEST_ID_HEADER } from '@passerelle/kit/http'
import type { Metrics } from '@passerelle/kit/metrics'
import { monotonicMs, nowMs } from '@passerelle/kit/runtime'
import { LRUCache } from 'lru-cache'
import type { BrandContext } from './caller.ts'
import type { SessionCookies } from './cookies.ts'
import type { RateLimits, RouteLimits } from './limits.ts'
import { addressOf, brandOf, requestIdOf, securityHeaders } from './middleware.ts'
import { type PublicRead, publicReads } from './public-reads.ts'
import type { SearchTally } from './search-tally.ts'
import type { SessionCache } from './session.ts'

type AnswerMemoryTools = {
  contracts: readonly Contract[]
  brands: BrandContext
  cookies: SessionCookies
  sessions: Pick<SessionCache, 'seen'>
  limits: RateLimits
  tally: SearchTally
  metrics: Metrics
  secure: boolean
  trustedHops: number
  /** Of all answers together; 0 keeps none. */
  maxBytes: number
}

type Encoding = 'br' | 'gzip' | 'identity'
/** What one address asks for, of one brand and in one encoding. */
type Question = PublicRead & { brandKey: string; limits: RouteLimits; observe(seconds: number): void }
type Answer = {
  headers: string[]
  body: Buffer
  etag: string
  /** Milliseconds since 1970. */
  madeAt: number
  freshUntil: number
}

const MOST_ADDRESSES = 20_000
const MOST_NETWORKS = 20_000
const LONGEST_ADDRESS = 1000
/** Bytes of an entry besides its body. */
const ENTRY_BYTES = 1000

export function answerMemory(tools: AnswerMemoryTools): (app: RequestListener) => RequestListener {
  const { brands, cookies, sessions, limits, tally, metrics, secure, trustedHops, maxBytes } = tools
  const reads = publicReads(tools.contracts)
  const fixed = securityHeaders(secure).flat()
  const questions = new LRUCache<string, Question>({ max: MOST_ADDRESSES })
  const answers = new LRUCache<string, Answer>({ maxSize: maxBytes || 1, sizeCalculation: ({ body }) => body.length + ENTRY_BYTES })
  const networks = new LRUCache<string, string>({ max: MOST_NETWORKS, memoMethod: networkOf })
  const hosts = new LRUCache<string, string>({ max: 1000, memoMethod: (host) => brandOf({ host }) })
  const encodings = new LRUCache<string, Encoding>({ max: 500, memoMethod: encodingOf })
  const underWay = new Map<string, Promise<void>>()

  const questionOf = ({ method, url = '', headers }: IncomingMessage, encoding: Encoding): Question | undefined => {
    if (method !== 'GET' || url.length > LONGEST_ADDRESS || !reads.may(url)) return undefined
    const brandKey = headers.cookie ? brandOf(headers) : hosts.memo(headers.host ?? '')
    const address = `${encoding} ${brandKey} ${url}`
    const known = questions.get(address)
    if (known) return known
    const read = reads.parse(url)
    const inMemory = read && limits.inMemory(read.name, read.route)
    if (!read || !inMemory) return undefined
    const duration = metrics.httpDuration.labels({ route: read.name, method: 'GET', status: '200' })
    const hits = metrics.answerMemory.labels({ route: read.name, result: 'hit' })
    const observe = (seconds: number) => {
      duration.observe(seconds)
      hits.inc()
    }
    const question = { ...read, key: `${encoding} ${brandKey} ${read.key}`, brandKey, limits: inMemory, observe }
    questions.set(address, question)
    return question
  }

  /** False when the request must go on: its session is not known here yet, or a limit is reached. */
  const send = (answer: Answer, question: Question, request: IncomingMessage, response: ServerResponse): boolean => {
    const { headers } = request
    const token = cookies.read(headers)
    const sessionId = token === null ? null : sessions.seen(token)
    if (sessionId === undefined) return false
    const rateLimit = question.limits.take(networks.memo(addressOf(request, trustedHops)), sessionId)
    if (rateLimit === null) return false
    const now = nowMs()
    const all = answer.headers.concat(
      'age',
      String(Math.floor((now - answer.madeAt) / 1000)),
      'cache-status',
      `passerelle; hit; ttl=${Math.ceil((answer.freshUntil - now) / 1000)}`,
      REQUEST_ID_HEADER,
      requestIdOf(headers),
    )
    if (rateLimit !== '') all.push('ratelimit', rateLimit)
    const isKnown = matches(headers['if-none-match'], answer.etag)
    if (!isKnown) all.push('content-length', String(answer.body.length))
    response.writeHead(isKnown ? 304 : 200, all).end(isKnown ? undefined : answer.body)
    return true
  }

  const front = (app: RequestListener): RequestListener => {
    /** Asks the service, and keeps its answer unless brand or mode have changed meanwhile. */
    const ask = (question: Question, key: string, request: IncomingMessage, response: ServerResponse, status: string): Promise<void> => {
      metrics.answerMemory.inc({ route: question.name, result: 'miss' })
      const kept = capture(response, status, (answer) => {
        answers.set(key, { ...answer, headers: [...fixed, ...answer.headers, 'x-cache', 'hit'] })
      })
      app(request, response)
      return kept
    }
    const wait = async (question: Question, key: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
      await underWay.get(key)
      if (response.destroyed) return
      const answer = answers.get(key)
      if (answer && send(answer, question, request, response)) return
      await ask(question, key, request, response, 'passerelle; fwd=miss; collapsed')
    }
    return (request, response) => {
      const began = monotonicMs()
      const question = questionOf(request, encodings.memo(request.headers['accept-encoding'] ?? ''))
      const context = question && brands.known(question.brandKey)
      if (!question || !context) return app(request, response)
      const key = `${context.version} ${question.key}`
      if (wantsFresh(request.headers)) return void ask(question, key, request, response, 'passerelle; fwd=request')
      const answer = answers.get(key)
      if (answer && answer.freshUntil > nowMs()) {
        if (!send(answer, question, request, response)) return app(request, response)
        if (question.searchKey) tally.add(context.mode, question.searchKey)
        return question.observe((monotonicMs() - began) / 1000)
      }
      if (underWay.has(key)) return void wait(question, key, request, response)
      underWay.set(
        key,
        ask(question, key, request, response, 'passerelle; fwd=miss').finally(() => underWay.delete(key)),
      )
    }
  }
  return (app) => (maxBytes === 0 ? app : front(app))
}

function wantsFresh(headers: IncomingHttpHeaders): boolean {
  const { 'cache-control': control, pragma } = headers
  return (control !== undefined && /no-cache|no-store|max-age=0/.test(control)) || pragma === 'no-cache'
}

/** The same choice as a service makes. */
function encodingOf(accepted: string): Encoding {
  const refused = new Set(
    accepted
      .split(',')
      .filter((part) => /;\s*q=0(\.0*)?\s*$/.test(part))
      .map(nameOf),
  )
  const names = accepted.split(',').map(nameOf)
  const takes = (name: string) => !refused.has(name) && (names.includes(name) || (names.includes('*') && !refused.has('*')))
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}

const nameOf = (part: string) => part.split(';')[0]?.trim().toLowerCase() ?? ''

function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given === etag || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

/** Of the connection, or of one answer. */
const NOT_KEPT =
  /^(connection|keep-alive|transfer-encoding|content-length|date|age|x-cache|cache-status|ratelimit|x-request-id|x-content-type-options|referrer-policy|cross-origin-.*|permissions-policy|x-frame-options|strict-transport-security)$/

/**
 * Holds an answer back until it is complete, gives it an ETag and offers it to `keep` when it may be kept.
 * @returns resolves once the answer is complete or has been given up
 */
function capture(response: ServerResponse, status: string, keep: (answer: Answer) => void): Promise<void> {
  const chunks: Buffer[] = []
  const [write, end] = [response.write.bind(response), response.end.bind(response)]
  const collect = (chunk: unknown, encoding: unknown) => {
    if (chunk === undefined || chunk === null || typeof chunk === 'function') return
    chunks.push(
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : (chunk as Buffer),
    )
  }
  const callbackOf = (args: unknown[]) => args.find((arg) => typeof arg === 'function') as (() => void) | undefined
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.write = ((...args: unknown[]) => {
      collect(args[0], args[1])
      callbackOf(args)?.()
      return true
    }) as ServerResponse['write']
    response.end = ((...args: unknown[]) => {
      collect(args[0], args[1])
      response.write = write
      response.end = end
      const body = Buffer.concat(chunks)
      const freshMs = response.headersSent ? 0 : freshnessOf(response)
      if (freshMs > 0) {
        const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
        response.setHeader('etag', etag)
        response.setHeader('content-length', body.length)
        const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) => (NOT_KEPT.test(name) ? [] : [name, String(value)]))
        const ageMs = Number(response.getHeader('age') ?? 0) * 1000
        keep({ headers, body, etag, madeAt: nowMs() - ageMs, freshUntil: nowMs() + freshMs })
      }
      if (!response.headersSent) response.setHeader('cache-status', freshMs > 0 ? `${status}; stored` : status)
      resolve()
      return end(body, callbackOf(args))
    }) as ServerResponse['end']
  })
}

/** Milliseconds for which a shared memory may keep this answer. */
function freshnessOf(response: ServerResponse): number {
  const control = String(response.getHeader('cache-control') ?? '')
  if (response.statusCode !== 200 || response.hasHeader('set-cookie') || !/\bpublic\b/.test(control)) return 0
  return Number(/\bmax-age=(\d+)/.exec(control)?.[1] ?? 0) * 1000
}
