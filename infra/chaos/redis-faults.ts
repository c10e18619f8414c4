/**
 * Real Redis frozen, killed, flushed, slowed and full, one after the other, under searches of which the k-th is asked as often as 1/k. How
 * much slower the machine itself is at the time is measured by `/livez` of the same gateway, which asks nobody, and is taken off.
 */
import { delay } from '@passerelle/kit/runtime'
import { freePort } from '@passerelle/servers/ports'
import { killServer, realServers, serverPid } from '@passerelle/servers/real-servers'
import { Redis } from 'ioredis'
import { counted, moment, must, percentiles, say, seededRandom } from './campaign.ts'
import { startDelayProxy } from './delay-proxy.ts'
import { type Read, searchQuery, startReads, startSearches } from './load.ts'
import type { Run } from './stage.ts'
import { addressOf, system } from './system.ts'

const SEARCHES = 240
const ADDED_MS = 80
const RECOVERY_MS = 5000
export async function run({ rate: perSecond, minutes, seed, folder }: Run): Promise<void> {
  const proxyPort = await freePort()
  const random = seededRandom(seed)
  // A healthy time, and five faults.
  const seconds = (minutes * 60) / 6
  const local = await system('processes', folder, { SERVERS: 'real', REDIS_URL: `redis://127.0.0.1:${proxyPort}` })
  const redisPort = Number(process.env.REAL_REDIS_PORT)
  const proxy = await startDelayProxy(proxyPort, redisPort)
  await realServers(folder)
  say(`started in ${await local.start()} ms`)
  const operator = new Redis(redisPort, '127.0.0.1', { maxRetriesPerRequest: null, commandTimeout: 2000 })
  operator.on('error', () => undefined)

  type Fault = { name: string; begin(): Promise<unknown>; during?(): Promise<unknown>; end(): Promise<unknown> }

  const redisPid = () => serverPid(folder, 'redis')
  const memory = async (bytes: string, policy: string) => {
    await operator.config('SET', 'maxmemory-policy', policy)
    await operator.config('SET', 'maxmemory', bytes)
  }
  const slow = async (ms: number) => {
    proxy.delayMs = ms
  }
  const flush = () => operator.flushall()
  const faults: Fault[] = [
    { name: 'frozen', begin: async () => process.kill(redisPid(), 'SIGSTOP'), end: async () => process.kill(redisPid(), 'SIGCONT') },
    { name: 'killed', begin: () => killServer(folder, 'redis'), end: () => realServers(folder) },
    { name: 'flushed', begin: flush, during: flush, end: flush },
    { name: 'slowed by 200 ms', begin: () => slow(200), end: () => slow(0) },
    { name: 'full', begin: () => memory('1mb', 'noeviction'), end: () => memory('256mb', 'allkeys-lru') },
  ]

  let asked = 0
  const warming = startReads(20, () => `${local.url}/api/flights/search?${searchQuery(asked++ % SEARCHES)}`)
  await delay((SEARCHES / 20) * 1000 + 3000)
  await warming.stop()

  const load = startSearches(local.url, { perSecond, random, searches: SEARCHES })
  const livez = `${addressOf(folder, 'gateway').adminUrl}/livez`
  const probe = startReads(20, () => livez)
  await delay(5000)
  const healthySince = performance.now()
  await delay(seconds * 1000)
  const calm = [p95AboveProbe('healthy', healthySince)]

  const struck: { name: string; added: number; later: number; failed: number; usedMs: number }[] = []
  const faultsSince = performance.now()
  for (const { name, begin, during, end } of faults) {
    const began = performance.now()
    moment(`Redis ${name}`, Date.now(), (seconds - 15) * 1000)
    await begin()
    const repeat = setInterval(() => void during?.().catch(() => undefined), 5000)
    await delay((seconds - 15) * 1000)
    clearInterval(repeat)
    const added = p95AboveProbe(name, began)
    const ended = performance.now()
    await end()
    const used = usedAgain()
    await delay(15_000)
    const later = p95AboveProbe(`${name}, 5 to 15 s after its end`, ended + RECOVERY_MS)
    calm.push(later)
    const failed = failures(since(load.done, ended + RECOVERY_MS))
    struck.push({ name, added, later, failed, usedMs: Math.round((await used) - ended) })
  }
  const all = since(await load.stop(), faultsSince)
  await probe.stop()
  // The calmest time is the measure, so that a machine that was busy with other things at first makes nothing look better than it is.
  const usual = Math.min(...calm)
  say(`healthy at the calmest: p95 ${usual} ms above livez`)
  for (const { name, added, later, failed, usedMs } of struck) {
    must(`${name}: p95 at most ${ADDED_MS} ms above the healthy one`, added - usual < ADDED_MS, `${added - usual} ms added`)
    const well = failed === 0 && later - usual < ADDED_MS && usedMs < RECOVERY_MS
    must(`${name}: well again within 5 s`, well, `${later - usual} ms added, ${failed} failed, Redis in use after ${usedMs} ms`)
  }
  must('fewer than 0.5 % of the searches failed', failures(all) / all.length < 0.005, `${failures(all)} of ${all.length}`)
  must('nothing was dropped', load.dropped === 0, load.dropped)

  function since(reads: readonly Read[], began: number): Read[] {
    return reads.filter(({ at }) => at >= began)
  }

  function failures(reads: readonly Read[]): number {
    return reads.filter(({ status }) => status !== 200).length
  }

  /** By how many milliseconds 95 % of the searches since then were slower than 95 % of the probes. */
  function p95AboveProbe(name: string, began: number): number {
    const [searches, probes] = [since(load.done, began), since(probe.done, began)]
    const [own, base] = [percentiles(searches), percentiles(probes)]
    const [statuses, caches] = [counted(searches.map(({ status }) => `${status}`)), counted(searches.map(({ cache }) => `${cache}`))]
    say(`${name}: ${searches.length} searches, ms`, { searches: own, livez: base, statuses, caches })
    return own.p95 - base.p95
  }

  /** When the product counts in Redis again. */
  async function usedAgain(): Promise<number> {
    let last: string | undefined
    for (;;) {
      const now = /cmdstat_incr:calls=(\d+)/.exec(await operator.info('commandstats').catch(() => ''))?.[1]
      if (now !== undefined && last !== undefined && now !== last) return performance.now()
      last = now
      await delay(100)
    }
  }
}
