/**
 * `make bench`: how many requests per second one gateway process answers, beside bare node:http, Express, a plain proxy and nginx with the
 * same bytes. Everything runs on this machine, in turns, so that only the ratios mean something: by requests where cores are free, by CPU
 * where others use them. Needs `wrk`, and real MongoDB, Kafka and Redis.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { ownFolder } from '@passerelle/chaos/campaign'
import { addressOf, system } from '@passerelle/chaos/system'
import { freePorts } from '@passerelle/servers/ports'
import { hasNginx, startNginx } from './nginx.ts'
import { type Candidate, type Compared, type Measured, report } from './report.ts'

const TURNS = Number(process.env.TURNS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const WARM_UP_SECONDS = 3
/** Empty: this repository's emulators, where real ones are not to be had. */
const SERVERS = process.env.SERVERS ?? 'real'
const CONNECTIONS = 32
const SEARCH = '/api/flights/search?origin=CDG&destination=JFK&departureDate=2099-03-04&adultsCount=1&page=1&limit=30'
const root = new URL('../../', import.meta.url).pathname
const OPTIONS = { headers: { 'accept-encoding': 'br' } }

/** Clock ticks of a process, of which Linux counts a hundred a second; 0 elsewhere. */
function ticksOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

function wrk({ url, pid }: Candidate, seconds = SECONDS): Measured {
  const before = ticksOf(pid)
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-H', 'Accept-Encoding: br', url]
  const text = execFileSync('wrk', options, { encoding: 'utf8' })
  const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  const answers = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    p99Ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
    failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
    cpuMicros: ((ticksOf(pid) - before) * 10_000) / Math.max(1, answers),
  }
}

/** One after the other, several times over: what disturbs the machine disturbs all of them. */
function takeTurns(candidates: Candidate[]): void {
  for (const candidate of candidates) wrk(candidate, WARM_UP_SECONDS)
  for (let turn = 0; turn < TURNS; turn++)
    for (const candidate of candidates) {
      // What has expired while the others had their turns is read again first.
      wrk(candidate, 1)
      candidate.turns.push(wrk(candidate))
    }
}

const children: ChildProcess[] = []
type Reference = { url: string; pid: number | undefined }
function reference(kind: 'bare' | 'express' | 'proxy', port: number | undefined, given: string | number): Reference {
  const script = `${root}infra/load/reference-server.ts`
  const child = spawn(process.execPath, [script, kind, String(port), String(given)], { stdio: 'inherit', cwd: root })
  children.push(child)
  return { url: `http://127.0.0.1:${port}`, pid: child.pid }
}
function nginx(port: number, target: string): Reference {
  const child = startNginx(port, target)
  children.push(child)
  return { url: `http://127.0.0.1:${port}`, pid: child.pid }
}

async function answers({ url }: Candidate): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(url, OPTIONS).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${url} does not answer`)
}

const candidate = (name: string, { url, pid }: Reference): Candidate => ({ name, url, pid, turns: [] })

/** A system with the gateway's memory on or off, its candidates measured beside the reference servers. */
async function measure(
  memory: boolean,
  candidatesOf: (gateway: Reference, bytes: number, html: number) => Candidate[],
): Promise<Candidate[]> {
  const folder = ownFolder()
  const local = await system('processes', folder, { SERVERS, REPLICAS: '1', ...(!memory && { ANSWER_MEMORY_MB: '0' }) })
  try {
    await local.start()
    const gateway = { url: addressOf(folder, 'gateway').url, pid: local.pidOf('gateway') }
    const candidates = candidatesOf(gateway, packedSize(gateway.url + SEARCH), packedSize(`${gateway.url}/`))
    for (const one of candidates) await answers(one)
    takeTurns(candidates)
    return candidates
  } finally {
    for (const child of children.splice(0)) child.kill()
    local.kill()
  }
}

/** Bytes of an answer as it is sent, which `fetch` unpacks. */
function packedSize(url: string): number {
  return execFileSync('curl', ['-s', '-H', 'Accept-Encoding: br', url]).length
}

const loads = [loadavg()[0] ?? 0]
const ports = await freePorts(7)
const at = ({ url, pid }: Reference, path: string): Reference => ({ url: url + path, pid })
const front = await measure(true, (gateway, bytes, html) => {
  const bare = reference('bare', ports[0], bytes)
  return [
    candidate('gateway, repeated search', at(gateway, SEARCH)),
    candidate('bare node:http, same bytes', bare),
    candidate('Express, same bytes', reference('express', ports[1], bytes)),
    candidate('Express + http-proxy-middleware to bare', reference('proxy', ports[2], bare.url)),
    candidate('gateway, home page', at(gateway, '/')),
    candidate('bare node:http, home page’s bytes', reference('bare', ports[3], html)),
    ...(hasNginx() ? [candidate('nginx proxy_cache, one process', nginx(ports[6] as number, bare.url))] : []),
  ]
})
loads.push(loadavg()[0] ?? 0)
const behind = await measure(false, (gateway, bytes) => {
  const bare = reference('bare', ports[4], bytes)
  return [
    candidate('gateway without memory, search from memory', at(gateway, SEARCH)),
    candidate('the same plain proxy hop, beside it', reference('proxy', ports[5], bare.url)),
  ]
})
loads.push(loadavg()[0] ?? 0)

const [search, bare, express, proxy, home, bareHome, cached] = front as [
  Candidate,
  Candidate,
  Candidate,
  Candidate,
  Candidate,
  Candidate,
  ...Candidate[],
]
const [hop, plainHop] = behind as [Candidate, Candidate]
const HEADERS = 'Node’s own work for 19 headers instead of 6, and the write to the socket'
const compared: Compared[] = [
  { what: 'Repeated search : bare node:http', one: search, other: bare, least: '0.6; p99 within 3', limitedBy: HEADERS },
  { what: 'Repeated search : Express', one: search, other: express, least: '1.1', limitedBy: HEADERS },
  { what: 'Repeated search : Express + http-proxy-middleware', one: search, other: proxy, least: '5', limitedBy: HEADERS },
  { what: 'Repeated search : nginx proxy_cache', one: search, other: cached, least: '0.5', limitedBy: 'JavaScript beside C' },
  { what: 'Home page : bare node:http', one: home, other: bareHome, least: '0.4', limitedBy: `${HEADERS}; its policy alone has 400 bytes` },
  {
    what: 'Without memory, hit in search : plain proxy hop',
    one: hop,
    other: plainHop,
    least: '0.9',
    limitedBy: 'a second Express and zod on the same cores',
  },
]
const text = report([...front, ...behind], compared, {
  turns: TURNS,
  seconds: SECONDS,
  connections: CONNECTIONS,
  loads,
  servers: SERVERS || 'emulated',
})
console.log(text)
if (process.argv.includes('--write')) {
  const file = `${root}docs/performance.md`
  const [before = '', after = ''] = readFileSync(file, 'utf8').split(/<!-- figures -->[\s\S]*<!-- end -->/)
  writeFileSync(file, `${before}<!-- figures -->\n\n${text}\n\n<!-- end -->${after}`)
}
