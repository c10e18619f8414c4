/**
 * Random questions through the memories of two gateways and past them have the same answers, whatever changes meanwhile. `make
 * memory-check` asks ten thousand of them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, brandNamed, openWorld, type World } from './gateway.fixture.ts'

const QUESTIONS = Number(process.env.QUESTIONS ?? 300)
const AT_ONCE = 10
/** Mode or brand change once in so many questions. */
const CHANGE_EVERY = 150
const HOSTS = ['localhost', 'sud.example', 'nord.example']

let world: World
let gateways: string[]
let mode: 'test' | 'live' = 'test'
let markup = 10
let cacheControl = 'public, max-age=30'

let state = Number(process.env.SEED ?? 7)
function random(): number {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}
const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
const search = (query: string) => `/api/flights/search?origin=CDG&destination=JFK&departureDate=2099-03-04&${query}`

beforeAll(async () => {
  world = await openWorld()
  world.stubs.brand.handlers['GET /api/system/mode'] = (_, response) => response.json({ isLiveMode: mode === 'live', mode })
  world.stubs.brand.handlers['GET /internal/brands/*'] = ({ path }, response) => {
    const key = path.split('/').at(-1) ?? ''
    response.json(brandNamed(key.endsWith('.example') ? key : 'default', markup))
  }
  world.stubs.search.handlers['GET /api/flights/search'] = (request, response, { caller }) => {
    const encoding = request.acceptsEncodings('br') ? 'br' : request.acceptsEncodings('gzip') ? 'gzip' : 'identity'
    response.setHeader('cache-control', cacheControl).setHeader('vary', 'accept-encoding')
    response.json({ ...request.query, mode: caller.mode, brand: caller.brand, markup: caller.markupPercent, encoding })
  }
  const past = await world.another({ ANSWER_MEMORY_MB: '0' })
  gateways = [world.url, (await world.another()).url, past.url]
  await everywhere()
})
afterAll(() => world.stop())

/** Waits until every gateway answers for the mode and markup of now. */
async function everywhere(): Promise<void> {
  for (const url of gateways)
    for (const host of HOSTS) {
      const shown = async () => (await ask(url, search('adultsCount=9'), { headers: { host } })).text
      for (let text = await shown(); !text.includes(`"mode":"${mode}"`) || !text.includes(`"markup":${markup}`); text = await shown())
        await pause(100)
    }
}

async function change(): Promise<void> {
  if (random() < 0.5) mode = mode === 'test' ? 'live' : 'test'
  else markup = markup === 10 ? 20 : 10
  await everywhere()
}

async function question(): Promise<void> {
  const headers = {
    host: pick(HOSTS),
    'accept-encoding': pick(['br', 'gzip, br', 'gzip', '*', 'br;q=0, *', '']),
    ...(random() < 0.1 && { 'cache-control': pick(['no-cache', 'no-store', 'max-age=0']) }),
  }
  const path = pick([
    search(`adultsCount=${pick([0, 1, 2])}&page=${pick([1, 2, 3])}&childrenCount=${pick(['', '1', 'x'])}`),
    '/',
    '/search',
    '/no/such',
  ])
  cacheControl = pick(['public, max-age=30', 'public, max-age=1', 'no-store'])
  const answers = await Promise.all(gateways.map((url) => ask(url, path, { headers })))
  const seen = answers.map(({ status, text, headers: { 'content-security-policy': policy } }) => ({
    status,
    policy,
    text: text.replace(/"requestId":"[^"]+"/, ''),
  }))
  expect(seen[0], path).toEqual(seen[2])
  expect(seen[1], path).toEqual(seen[2])
}

test(`${QUESTIONS} random questions have the same answers through the memory and past it`, {
  timeout: 60_000 + QUESTIONS * 200,
}, async () => {
  for (let i = 0; i < QUESTIONS; i += AT_ONCE) {
    if (i > 0 && i % CHANGE_EVERY === 0) await change()
    await Promise.all(Array.from({ length: AT_ONCE }, question))
  }
})
