/**
 * What every simulator shares: the `/_sim` control routes, the clock that tests move forward, seeded randomness and faults.
 *
 * How a simulator is put together (the order matters):
 *
 *     const control = createControl({ seed, ledger: () => truth(), reset: () => wipe() })
 *     const app = express()
 *     app.use(control.router)                    // 1. /_sim/*: never subject to faults
 *     app.use(express.json())                    // 2. read the body, so that a request whose client gives up during a
 *                                                //    `delay` is still carried out, as it is in the real world
 *     app.use(control.faults)                    // 3. every later route can be delayed, cut, hung or answered wrongly
 *     app.post('/air/orders', handler)           // 4. commit first, then answer ONCE with res.json / res.send / res.end
 *     const { url, port, stop } = await listenLocally(app, options.port)
 *
 * Routes: GET `/_sim/ledger` · GET POST DELETE `/_sim/faults` · DELETE `/_sim/faults/:id` · GET POST `/_sim/clock` ·
 * POST `/_sim/reset` · POST `/_sim/cases` (when the simulator has named cases). A control request that is not understood is
 * answered 400 `{ error }`; nothing is ever guessed.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler, type Response, type Router } from 'express'
import { z } from 'zod'

export const httpEffects = ['delay', 'hang', 'reset', 'reset-after-commit', 'status', 'html'] as const

export type Fault = {
  id: string
  /** Both parts are optional: absent means any. `path` has no query; `*` stands for any characters, slashes included. */
  match: { method?: string | undefined; path?: string | undefined }
  /**
   * delay: answers normally after `ms`. hang: never answers, until the client closes. reset: cuts the connection, nothing done.
   * reset-after-commit: the handler runs to its end, then the connection is cut. status: answers `status` with `body`
   * (object: JSON, string: text; absent: the provider's own error shape). html: a proxy's HTML error page (`status`, 502 by default).
   * A simulator may know more words (`effects` of createControl).
   */
  effect: string
  /** Pause in milliseconds before the effect; for `delay` the whole effect. */
  ms?: number | undefined
  status?: number | undefined
  body?: unknown
  headers?: Record<string, string> | undefined
  /** How often it strikes before it is spent; absent: until it is deleted. */
  times?: number | undefined
  /** 0 to 1, drawn from the seeded randomness; absent: always. */
  probability?: number | undefined
  /** true: the handler runs to its end first and its answer is withheld, so `hang`, `status`, `delay` strike after the commit. */
  afterCommit?: boolean | undefined
  /** How often it has struck so far. */
  hits: number
}

export type Control = {
  router: Router
  /** Leaves the fault that strikes in `res.locals.fault`. */
  faults: RequestHandler
  clock: { now(): Date; offsetMs(): number }
  /** Next number in [0, 1) of the stream that `seed` fixes. Faults draw from a stream of their own, so they do not disturb data. */
  random(): number
  /** Uses up and returns the first fault with this effect (for effects of the simulator's own that no HTTP middleware can apply). */
  take(effect: string, request?: { method: string; path: string }): Fault | undefined
}

/** Thrown by `cases` for a request that makes no sense: answered 400 with the message. */
export class ControlRefusal extends Error {}

/**
 * @param options.ledger the truth that tests read; called for each GET `/_sim/ledger`.
 * @param options.reset wipes the simulator's state; faults, clock and random stream are put back by the control itself.
 * @param options.cases takes the body of POST `/_sim/cases` and returns the answer; throws ControlRefusal.
 * @param options.clockOffsetMs where the clock stood when the simulator was stopped (persisted by the simulator).
 * @param options.onClock called after each move (and reset) with the new offset: persist it, expire what has become old.
 * @param options.errorBody the provider's error shape for `status` faults without a body.
 * @param options.effects the simulator's own effects, consumed with `take`.
 */
export const createControl = (options: {
  seed?: string | number
  ledger: () => unknown | Promise<unknown>
  reset: () => void | Promise<void>
  cases?: (body: unknown) => unknown | Promise<unknown>
  clockOffsetMs?: number
  onClock?: (offsetMs: number) => void
  errorBody?: (status: number) => unknown
  effects?: readonly string[]
}): Control => {
  const seed = options.seed ?? 1
  const allEffects = [...httpEffects, ...(options.effects ?? [])]
  let offsetMs = options.clockOffsetMs ?? 0
  let active: Fault[] = []
  let nextId = 1
  let draw = seededRandom(seed)
  let drawFault = seededRandom(`${seed}/faults`)

  const moveClock = (to: number) => {
    offsetMs = to
    options.onClock?.(offsetMs)
  }
  const clock = { now: () => new Date(Date.now() + offsetMs), offsetMs: () => offsetMs }

  const strike = (accepts: (fault: Fault) => boolean): Fault | undefined => {
    for (const fault of active) {
      if (!accepts(fault)) continue
      if (fault.probability !== undefined && drawFault() >= fault.probability) continue
      fault.hits += 1
      if (fault.times !== undefined && fault.hits >= fault.times) active = active.filter((other) => other !== fault)
      return fault
    }
    return undefined
  }
  const matches = (fault: Fault, request: { method: string; path: string }) =>
    (fault.match.method === undefined || fault.match.method.toUpperCase() === request.method.toUpperCase()) &&
    (fault.match.path === undefined || matchesGlob(fault.match.path, request.path))

  const faults: RequestHandler = async (req, res, next) => {
    const effects: readonly string[] = httpEffects
    const fault = strike(
      (candidate) => effects.includes(candidate.effect) && matches(candidate, { method: req.method, path: req.baseUrl + req.path }),
    )
    if (!fault) return next()
    res.locals.fault = fault
    const apply = async (answer: () => void) => {
      if (fault.ms) await new Promise((resolve) => setTimeout(resolve, fault.ms))
      if (fault.effect === 'delay') return answer()
      if (fault.effect === 'hang') return
      if (fault.effect === 'reset' || fault.effect === 'reset-after-commit') return void req.socket.resetAndDestroy()
      if (fault.effect === 'html') return sendHtml(res, fault)
      sendStatus(res, fault, options.errorBody)
    }
    if (!fault.afterCommit && fault.effect !== 'reset-after-commit') return apply(next)
    withhold(res, apply)
    next()
  }

  const router = express.Router()
  const json = express.json({ strict: false, type: () => true })
  router.get('/_sim/ledger', async (_req, res) => void res.json(await options.ledger()))
  router.get('/_sim/faults', (_req, res) => void res.json({ faults: active }))
  router.post('/_sim/faults', json, (req, res) => {
    const fault: Fault = { ...readControl(faultSchema(allEffects), req.body), id: `fault_${nextId++}`, hits: 0 }
    active.push(fault)
    res.status(201).json(fault)
  })
  router.delete('/_sim/faults', (_req, res) => {
    active = []
    res.json({ faults: [] })
  })
  router.delete('/_sim/faults/:id', (req, res) => {
    active = active.filter((fault) => fault.id !== req.params.id)
    res.json({ faults: active })
  })
  router.get('/_sim/clock', (_req, res) => void res.json({ now: clock.now().toISOString(), offsetSeconds: offsetMs / 1000 }))
  router.post('/_sim/clock', json, (req, res) => {
    moveClock(offsetMs + readControl(clockSchema, req.body).advanceSeconds * 1000)
    res.json({ now: clock.now().toISOString(), offsetSeconds: offsetMs / 1000 })
  })
  router.post('/_sim/reset', async (_req, res) => {
    active = []
    draw = seededRandom(seed)
    drawFault = seededRandom(`${seed}/faults`)
    await options.reset()
    moveClock(0)
    res.json({ reset: true })
  })
  router.post('/_sim/cases', json, async (req, res) => {
    if (!options.cases) throw new ControlRefusal('this simulator has no named cases')
    res.json(await options.cases(req.body))
  })
  router.use('/_sim', (req, res) => void res.status(404).json({ error: `no control route ${req.method} ${req.originalUrl}` }))
  router.use('/_sim', ((error: Error & { status?: number }, _req, res, _next) => {
    res.status(error instanceof ControlRefusal ? 400 : (error.status ?? 500)).json({ error: error.message })
  }) as express.ErrorRequestHandler)

  return {
    router,
    faults,
    clock,
    random: () => draw(),
    take: (effect, request) => strike((fault) => fault.effect === effect && (!request || matches(fault, request))),
  }
}

/** A deterministic stream of numbers in [0, 1): the same seed, the same stream, on every machine. */
export const seededRandom = (seed: string | number): (() => number) => {
  let state = 0x811c9dc5
  for (const char of String(seed)) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Serves `app` on the loopback interface; `stop` also ends requests that hang. Port 0 takes any free port. */
export const listenLocally = async (app: express.Express, port = 0, host = '127.0.0.1') => {
  const server: Server = createServer(app)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const bound = (server.address() as AddressInfo).port
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${bound}`, port: bound, stop }
}

/** `*` stands for any characters (slashes too); everything else is literal. */
export const matchesGlob = (pattern: string, path: string): boolean => {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === path
  const tail = rest.pop() as string
  if (!path.startsWith(head) || !path.endsWith(tail) || path.length < head.length + tail.length) return false
  let from = head.length
  for (const part of rest) {
    const found = path.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return from <= path.length - tail.length
}

const faultSchema = (effects: readonly string[]) =>
  z
    .strictObject({
      match: z.strictObject({ method: z.string().optional(), path: z.string().optional() }).default({}),
      effect: z.enum(effects as [string, ...string[]], { error: `effect is one of ${effects.join(', ')}` }),
      ms: z.int().min(0).optional(),
      status: z.int().min(200).max(599).optional(),
      body: z.unknown().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      times: z.int().min(1).optional(),
      probability: z.number().min(0).max(1).optional(),
      afterCommit: z.boolean().optional(),
    })
    .refine(({ effect, ms }) => effect !== 'delay' || ms !== undefined, 'a delay needs ms')
    .refine(({ effect, status }) => effect !== 'status' || status !== undefined, 'the effect status needs a status')

const clockSchema = z.strictObject({ advanceSeconds: z.number().min(0) })

/** @throws ControlRefusal that says what does not fit. */
const readControl = <S extends z.ZodType>(schema: S, body: unknown): z.output<S> => {
  const result = schema.safeParse(body)
  if (!result.success) throw new ControlRefusal(z.prettifyError(result.error))
  return result.data
}

/** How often each name comes, for ledgers. */
export const counted = (names: string[]): Record<string, number> =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(names, (name) => name),
      ([name, those]) => [name, those.length],
    ),
  )

/** Lets the handler run but keeps its answer back until `apply` decides what becomes of it. */
const withhold = (res: Response, apply: (answer: () => void) => Promise<void>) => {
  const write = res.write
  const end = res.end
  const chunks: unknown[][] = []
  const restore = () => Object.assign(res, { write, end })
  Object.assign(res, {
    write: (...args: unknown[]) => {
      chunks.push(args)
      return true
    },
    end: (...args: unknown[]) => {
      restore()
      void apply(() => {
        for (const chunk of chunks) write.apply(res, chunk as Parameters<Response['write']>)
        end.apply(res, args as Parameters<Response['end']>)
      })
      return res
    },
  })
}

const clearHeaders = (res: Response, fault: Fault) => {
  for (const name of res.getHeaderNames()) res.removeHeader(name)
  for (const [name, value] of Object.entries(fault.headers ?? {})) res.setHeader(name, value)
}

const sendStatus = (res: Response, fault: Fault, errorBody?: (status: number) => unknown) => {
  const status = fault.status as number
  clearHeaders(res, fault)
  const body = fault.body === undefined ? (errorBody?.(status) ?? { error: `status ${status}` }) : fault.body
  res.status(status)
  if (typeof body === 'string') res.type(res.get('content-type') ?? 'text/plain').send(body)
  else res.json(body)
}

const sendHtml = (res: Response, fault: Fault) => {
  const status = fault.status ?? 502
  clearHeaders(res, fault)
  const page = `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>proxy</body></html>`
  res
    .status(status)
    .type('html')
    .send(typeof fault.body === 'string' ? fault.body : page)
}
