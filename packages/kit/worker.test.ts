/** Workers: how often they run, what they do at once, and how they stop. */
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { claimAndRun, startWorker } from './worker.ts'

const log = pino({ level: 'silent' })

/** A promise with its resolve and reject outside. */
const gate = () => Promise.withResolvers<void>()

type Item = { id: number; end: ReturnType<typeof gate> }

function queueOf(count: number) {
  const items: Item[] = Array.from({ length: count }, (_, id) => ({ id, end: gate() }))
  const due = [...items]
  const started: number[] = []
  const worker = (concurrency: number, more: { claim?(): Promise<Item | null> } = {}) =>
    startWorker(
      claimAndRun({
        name: 'test',
        everyMs: 5,
        concurrency,
        claim: more.claim ?? (async () => due.shift() ?? null),
        async work(item) {
          started.push(item.id)
          await item.end.promise
        },
        log,
      }),
      log,
    )
  return { items, due, started, worker }
}

const end = (items: Item[]) => {
  for (const item of items) item.end.resolve()
}

test('a slow item keeps its own place and the others pass it', async () => {
  const { items, started, worker } = queueOf(6)
  const running = worker(2)
  for (const item of items.slice(1)) {
    await expect.poll(() => started).toContain(item.id)
    item.end.resolve()
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 5])
  end(items)
  await running.stop()
})

test('no more items are claimed than there are places', async () => {
  const { items, due, started, worker } = queueOf(5)
  const running = worker(3)
  await expect.poll(() => started.length).toBe(3)
  expect(due.length).toBe(2)
  end(items)
  await expect.poll(() => started.length).toBe(5)
  await running.stop()
})

test('an item that becomes due while another is under way is started', async () => {
  const { items, due, started, worker } = queueOf(1)
  const running = worker(2)
  await expect.poll(() => started).toEqual([0])
  const late: Item = { id: 7, end: gate() }
  due.push(late)
  await expect.poll(() => started).toEqual([0, 7])
  end([...items, late])
  await running.stop()
})

test('a failed item leaves the others running', async () => {
  const { items, started, worker } = queueOf(2)
  const running = worker(1)
  await expect.poll(() => started).toEqual([0])
  items[0]?.end.reject(new Error('no'))
  await expect.poll(() => started).toEqual([0, 1])
  end(items)
  await running.stop()
})

test('stop waits for the items under way, also when the next one could not be claimed, and claims no more', async () => {
  const { items, due, started, worker } = queueOf(3)
  let claims = 0
  const running = worker(2, {
    async claim() {
      claims += 1
      if (claims > 1) throw new Error('the database is unavailable')
      return due.shift() ?? null
    },
  })
  await expect.poll(() => claims).toBeGreaterThan(2)
  let stopped = false
  const stopping = running.stop().then(() => {
    stopped = true
  })
  await new Promise((done) => setImmediate(done))
  expect([stopped, started]).toEqual([false, [0]])
  end(items)
  await stopping
  expect(started).toEqual([0])
})
