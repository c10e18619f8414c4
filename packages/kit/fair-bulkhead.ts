/** A bulkhead in which every client has a share of the places and of the queue, and free places go round robin. */
import { AppError, type ErrorCode } from '@passerelle/contracts/error'
import { clearTimer, setTimer } from './runtime.ts'

/** The clients of one piece of work: one at first, more when others join it while it waits. It may run on the account of any of them. */
export class Clients {
  /** The client who started the work: its place in the queue counts as theirs. */
  readonly first: string
  readonly #names: Set<string>
  #onAdd: () => void = () => undefined

  constructor(first: string) {
    this.first = first
    this.#names = new Set([first])
  }

  add(name: string): void {
    if (this.#names.has(name)) return
    this.#names.add(name)
    this.#onAdd()
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  names(): Iterable<string> {
    return this.#names
  }

  onAdd(listener: () => void): void {
    this.#onAdd = listener
  }
}

const RETRY_SECONDS = 2

/** Refused because of this client's own running and waiting work: another client's request would not be. */
export class ShareExceededError extends AppError {
  readonly client: string

  constructor(code: ErrorCode, client: string) {
    super(code, { retryAfter: RETRY_SECONDS })
    this.client = client
  }
}

type FairBulkheadOptions = {
  /** Under way at once, and waiting, for all clients together. */
  concurrent: number
  queue: number
  /** One client's share of both, 0 to 1; at least one place. */
  share: number
  /** Milliseconds after which waiting work is refused. */
  maxWaitMs: number
  /** The error code of a refusal. */
  refusal: ErrorCode
}

export type FairBulkhead = {
  /** `work` gets the client on whose account it runs. Throws ShareExceededError or `refusal` when it cannot wait or has waited too long. */
  run<T>(clients: Clients, work: (client: string) => Promise<T>): Promise<T>
}

type Waiting = { clients: Clients; start(client: string): void }

export function createFairBulkhead({ concurrent, queue, share, maxWaitMs, refusal }: FairBulkheadOptions): FairBulkhead {
  const placesEach = Math.max(1, Math.floor(concurrent * share))
  const queueEach = queue === 0 ? 0 : Math.max(1, Math.floor(queue * share))
  const running = new Map<string, number>()
  /** When a client last got a place, counted in places given. */
  const servedAt = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let active = 0
  let served = 0

  const runningOf = (client: string) => running.get(client) ?? 0

  /** Of the clients below their share the one with the fewest places, and of these the one served least recently. */
  const turn = (entries: Iterable<{ clients: Clients }>) => {
    let next: { entry: { clients: Clients }; client: string } | undefined
    for (const entry of entries) {
      for (const client of entry.clients.names()) {
        if (runningOf(client) >= placesEach) continue
        const before =
          next && (runningOf(client) - runningOf(next.client) || (servedAt.get(client) ?? 0) - (servedAt.get(next.client) ?? 0))
        if (before === undefined || before < 0) next = { entry, client }
      }
    }
    return next
  }

  const occupy = (client: string) => {
    active += 1
    running.set(client, runningOf(client) + 1)
    served += 1
    servedAt.set(client, served)
  }

  const forgetIdle = (client: string) => {
    if (runningOf(client) === 0 && ![...waiting].some(({ clients }) => clients.has(client))) servedAt.delete(client)
  }

  const leave = (client: string) => {
    active -= 1
    if (runningOf(client) > 1) running.set(client, runningOf(client) - 1)
    else running.delete(client)
    dispatch()
    forgetIdle(client)
  }

  const dispatch = () => {
    while (active < concurrent && waiting.size > 0) {
      const next = turn(waiting) as { entry: Waiting; client: string } | undefined
      if (!next) return
      waiting.delete(next.entry)
      occupy(next.client)
      next.entry.start(next.client)
    }
  }

  const place = (clients: Clients): Promise<string> => {
    const free = active < concurrent ? turn([{ clients }]) : undefined
    if (free) {
      occupy(free.client)
      return Promise.resolve(free.client)
    }
    const ownWaiting = [...waiting].filter((entry) => entry.clients.first === clients.first).length
    if (ownWaiting >= queueEach) throw new ShareExceededError(refusal, clients.first)
    if (waiting.size >= queue) throw new AppError(refusal, { retryAfter: RETRY_SECONDS })
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        clients,
        start(client) {
          clearTimer(timer)
          resolve(client)
        },
      }
      const timer = setTimer(() => {
        waiting.delete(entry)
        for (const name of clients.names()) forgetIdle(name)
        const isFull = [...clients.names()].some((name) => runningOf(name) < placesEach)
        reject(isFull ? new AppError(refusal, { retryAfter: RETRY_SECONDS }) : new ShareExceededError(refusal, clients.first))
      }, maxWaitMs)
      waiting.add(entry)
      clients.onAdd(dispatch)
    })
  }

  return {
    async run(clients, work) {
      const client = await place(clients)
      try {
        return await work(client)
      } finally {
        leave(client)
      }
    },
  }
}
