/**
 * `node infra/chaos/redis-faults.ts [seconds per fault=96] [searches per second=100] [seed=1]`: real Redis frozen, killed, flushed, slowed
 * and full, one after the other, under searches of which the k-th is asked as often as 1/k. Ten minutes with the usual figures. How much
 * slower the machine itself is at the time is told by `/livez` of the same gateway, which asks nobody, and is taken off.
 */
import { delay } from '@passerelle/kit/runtime'
import { freePort } from '@passerelle/servers/ports'
import { killServer, realServers, serverPid, stopRealServers } from '@passerelle/servers/real-servers'
import { Redis } from 'ioredis'
import { startDelayProxy } from './delay-proxy.ts'
import { type SearchAnswer, searchQuery, startReads, startSearches } from './load.ts'
import { realPorts, system } from './system.ts'
import { counted, holdsAll, must, percentile, say, seededRandom } from './verdict.ts'

const [seconds = 96, perSecond = 100, seed = 1] = process.argv.slice(2).map(Number)
const SEARCHES = 240
const ADDED_MS = 80
const RECOVERY_MS = 5000
const random = seededRandom(seed)
const proxyPort = await freePort()
const local = await system('processes', { SERVERS: 'real', REDIS_URL: `redis://127.0.0.1:${proxyPort}` })
Object.assign(process.env, realPorts(local))
const redisPort = Number(local.environment.REAL_REDIS_PORT)
say(`${seconds} s per fault, ${perSecond} searches/s over ${SEARCHES} searches, seed ${seed}, data ${local.dataDir}`)
const proxy = await startDelayProxy(proxyPort, redisPort)
await realServers(local.dataDir)
say(`started in ${await local.start()} ms`)
const operator = new Redis(redisPort, '127.0.0.1', { maxRetriesPerRequest: null, commandTimeout: 2000 })
operator.on('error', () => undefined)

type Fault = { name: string; begin(): Promise<unknown>; during?(): Promise<unknown>; end(): Promise<unknown> }

const faults: Fault[] = [
  {
    name: 'frozen',
    begin: async () => process.kill(serverPid(local.dataDir, 'redis'), 'SIGSTOP'),
    end: async () => process.kill(serverPid(local.dataDir, 'redis'), 'SIGCONT'),
  },
  { name: 'killed', begin: () => killServer(local.dataDir, 'redis'), end: () => realServers(local.dataDir) },
  { name: 'flushed', begin: () => operator.flushall(), during: () => operator.flushall(), end: () => operator.flushall() },
  {
    name: 'slowed by 200 ms',
    begin: async () => {
      proxy.delayMs = 200
    },
    end: async () => {
      proxy.delayMs = 0
    },
  },
  {
    name: 'full',
    begin: async () => {
      await operator.config('SET', 'maxmemory-policy', 'noeviction')
      await operator.config('SET', 'maxmemory', '1mb')
    },
    end: async () => {
      await operator.config('SET', 'maxmemory', '256mb')
      await operator.config('SET', 'maxmemory-policy', 'allkeys-lru')
    },
  },
]

const warm = startReads(20, everySearch())
await delay((SEARCHES / 20) * 1000 + 3000)
await warm.stop()

const load = startSearches(local.url, { perSecond, random, searches: SEARCHES })
const livez = `${local.adminUrl('gateway')}/livez`
const probe = startReads(20, () => livez)
await delay(5000)
const before = await commandCalls()
const calm = [summary('healthy', await during(seconds)).added]
const asked = await commandCalls()
say(
  `Redis while healthy, calls a second: ${Object.entries(asked)
    .map(([name, calls]) => `${name} ${((calls - (before[name] ?? 0)) / seconds).toFixed(0)}`)
    .join(', ')}`,
)

const all: SearchAnswer[] = []
const struck: { name: string; added: number; later: number; failed: number; usedMs: number }[] = []
for (const fault of faults) {
  const began = performance.now()
  await fault.begin()
  const repeat = setInterval(() => void fault.during?.().catch(() => undefined), 5000)
  await delay((seconds - 15) * 1000)
  clearInterval(repeat)
  const { added } = summary(fault.name, between(began))
  const ended = performance.now()
  await fault.end()
  const used = usedAgain()
  await delay(15_000)
  const later = between(ended + RECOVERY_MS)
  const well = summary(`${fault.name}, 5 to 15 s after its end`, later)
  calm.push(well.added)
  const failed = later.searches.filter(({ status }) => status !== 200).length
  struck.push({ name: fault.name, added, later: well.added, failed, usedMs: Math.round((await used) - ended) })
  all.push(...between(began).searches)
}
await Promise.all([load.stop(), probe.stop()])
// The calmest time is the measure, so that a machine that was busy with other things at first makes nothing look better than it is.
const usual = Math.min(...calm)
say(`healthy at the calmest: p95 ${usual} ms above livez`)
for (const { name, added, later, failed, usedMs } of struck) {
  must(`${name}: p95 at most ${ADDED_MS} ms above the healthy one`, added - usual < ADDED_MS, `${added - usual} ms added`)
  must(
    `${name}: well again within 5 s`,
    failed === 0 && later - usual < ADDED_MS && usedMs < RECOVERY_MS,
    `${later - usual} ms added, ${failed} failed, Redis in use after ${usedMs} ms`,
  )
}
const errors = all.filter(({ status }) => status !== 200).length
must(
  'fewer than 0.5 % of the searches failed',
  errors / all.length < 0.005,
  `${errors} of ${all.length} (${((100 * errors) / all.length).toFixed(3)} %)`,
)
must('nothing was dropped', load.dropped === 0, load.dropped)

operator.disconnect()
await local.stop()
proxy.stop()
await stopRealServers(local.dataDir)
await delay(2000)
if (holdsAll()) local.remove()
process.exit(holdsAll() ? 0 : 1)

/** Each search once, one after the other. */
function everySearch(): () => string {
  let index = 0
  return () => `${local.url}/api/flights/search?${searchQuery(index++ % SEARCHES)}`
}

type Answers = { searches: SearchAnswer[]; probes: SearchAnswer[] }

async function during(length: number): Promise<Answers> {
  const began = performance.now()
  await delay(length * 1000)
  return between(began)
}

function between(began: number, ended = Number.POSITIVE_INFINITY): Answers {
  const within = ({ at }: SearchAnswer) => at >= began && at < ended
  return { searches: load.answers.filter(within), probes: probe.answers.filter(within) }
}

/** 95 % of the searches were at most so much slower than 95 % of the probes in the same time. */
function p95Above({ searches, probes }: Answers): number {
  const p95 = (answers: SearchAnswer[]) =>
    percentile(
      answers.map(({ ms }) => ms),
      0.95,
    )
  return p95(searches) - p95(probes)
}

function summary(name: string, answers: Answers): { added: number } {
  const { searches, probes } = answers
  const figures = (list: SearchAnswer[]) =>
    [0.5, 0.95, 0.99]
      .map((share) =>
        percentile(
          list.map(({ ms }) => ms),
          share,
        ),
      )
      .join('/')
  const by = (word: (answer: SearchAnswer) => string) => JSON.stringify(counted(searches.map(word)))
  say(
    `${name}: ${searches.length} searches, p50/p95/p99 ${figures(searches)} ms (livez ${figures(probes)} ms), status ${by(({ status }) => String(status))}, x-cache ${by(({ cache }) => cache ?? 'none')}`,
  )
  return { added: p95Above(answers) }
}

/** How often each command of the product's was carried out. */
async function commandCalls(): Promise<Record<string, number>> {
  const told = await operator.info('commandstats')
  return Object.fromEntries([...told.matchAll(/cmdstat_(get|set|incr|del):calls=(\d+)/g)].map(([, name, calls]) => [name, Number(calls)]))
}

/** When the product counts in Redis again. */
async function usedAgain(): Promise<number> {
  let before: number | undefined
  for (;;) {
    const now = await commandCalls()
      .then(({ incr }) => incr)
      .catch(() => undefined)
    if (now !== undefined && before !== undefined && now > before) return performance.now()
    before = now
    await delay(100)
  }
}
