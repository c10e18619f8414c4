/**
 * `make bench`: how many requests per second one gateway process answers, beside bare node:http, Express and a plain proxy with the same
 * bytes. Everything runs on this machine, in turns, so that only the ratios mean something. Needs `wrk`, and real MongoDB, Kafka and Redis.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { ownFolder } from '@passerelle/chaos/campaign'
import { system } from '@passerelle/chaos/system'
import { freePorts } from '@passerelle/servers/ports'

const TURNS = Number(process.env.TURNS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const CONNECTIONS = 32
const SEARCH = '/api/flights/search?origin=CDG&destination=JFK&departureDate=2099-03-04&adultsCount=1&page=1&limit=30'
const root = new URL('../../', import.meta.url).pathname

type Measured = { rate: number; p99Ms: number; failed: number }
type Candidate = { name: string; url: string; turns: Measured[] }

function wrk(url: string): Measured {
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', '-H', 'Accept-Encoding: br', url]
  const text = execFileSync('wrk', options, { encoding: 'utf8' })
  const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? []
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1] ?? 0),
    p99Ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
    failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0),
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const rateOf = ({ turns }: Candidate) => median(turns.map(({ rate }) => rate))
const p99Of = ({ turns }: Candidate) => median(turns.map(({ p99Ms }) => p99Ms))

/** One after the other, several times over: what disturbs the machine disturbs all of them. */
async function takeTurns(candidates: Candidate[]): Promise<void> {
  for (const { url } of candidates) await (await fetch(url, { headers: { 'accept-encoding': 'br' } })).arrayBuffer()
  for (let turn = 0; turn < TURNS; turn++) for (const candidate of candidates) candidate.turns.push(wrk(candidate.url))
}

const children: ChildProcess[] = []
function reference(kind: 'bare' | 'express' | 'proxy', port: number | undefined, given: string | number): string {
  const script = `${root}infra/load/reference-server.ts`
  children.push(spawn(process.execPath, [script, kind, String(port), String(given)], { stdio: 'inherit', cwd: root }))
  return `http://127.0.0.1:${port}`
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error(`${url} does not answer`)
}

const candidate = (name: string, url: string): Candidate => ({ name, url, turns: [] })

/** A system with the gateway's memory on or off, its candidates measured beside the reference servers. */
async function measure(
  memory: boolean,
  candidatesOf: (gateway: string, bytes: number, html: number) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  const local = await system('processes', ownFolder(), { SERVERS: 'real', REPLICAS: '1', ...(!memory && { ANSWER_MEMORY_MB: '0' }) })
  try {
    await local.start()
    const gateway = local.addressOf('gateway').url
    const sizeOf = async (path: string) =>
      Number((await fetch(gateway + path, { method: 'GET', headers: { 'accept-encoding': 'br' } })).headers.get('content-length') ?? 0)
    const bytes = await sizeOf(SEARCH)
    const candidates = await candidatesOf(gateway, bytes, await sizeOf('/'))
    await Promise.all(candidates.map(({ url }) => answers(url)))
    await takeTurns(candidates)
    return candidates
  } finally {
    for (const child of children.splice(0)) child.kill()
    local.kill()
  }
}

const began = loadavg()[0] ?? 0
const ports = await freePorts(6)
const front = await measure(true, async (gateway, bytes, html) => {
  const bare = reference('bare', ports[0], bytes)
  return [
    candidate('gateway, repeated search', gateway + SEARCH),
    candidate('bare node:http, same bytes', bare),
    candidate('Express, same bytes', reference('express', ports[1], bytes)),
    candidate('Express + http-proxy-middleware to bare', reference('proxy', ports[2], bare)),
    candidate('gateway, home page', `${gateway}/`),
    candidate('bare node:http, home page’s bytes', reference('bare', ports[3], html)),
  ]
})
const behind = await measure(false, async (gateway, bytes) => {
  const bare = reference('bare', ports[4], bytes)
  return [
    candidate('gateway without memory, search from memory', gateway + SEARCH),
    candidate('Express + http-proxy-middleware to bare', reference('proxy', ports[5], bare)),
  ]
})

const [search, bare, express, proxy, home, bareHome] = front as [Candidate, Candidate, Candidate, Candidate, Candidate, Candidate]
const [hop, plainHop] = behind as [Candidate, Candidate]
const ratio = (a: Candidate, b: Candidate) => (rateOf(a) / rateOf(b)).toFixed(2)
const lines = [
  '| | requests/s, median | p99 ms, median | failed |',
  '|---|---|---|---|',
  ...[...front, ...behind].map(
    (one) =>
      `| ${one.name} | ${Math.round(rateOf(one))} | ${p99Of(one).toFixed(1)} | ${one.turns.reduce((sum, { failed }) => sum + failed, 0)} |`,
  ),
  '',
  '| Ratio | |',
  '|---|---|',
  `| Repeated search through the gateway : bare node:http | ${ratio(search, bare)} |`,
  `| Repeated search through the gateway : Express | ${ratio(search, express)} |`,
  `| Repeated search through the gateway : Express + http-proxy-middleware | ${ratio(search, proxy)} |`,
  `| p99 of the gateway : p99 of bare | ${(p99Of(search) / p99Of(bare)).toFixed(2)} |`,
  `| Home page : bare node:http | ${ratio(home, bareHome)} |`,
  `| Gateway without memory, hit in search : plain proxy hop | ${ratio(hop, plainHop)} |`,
  '',
  `${availableParallelism()} cores, load ${began.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after; Node ${process.version}; ${TURNS} turns of ${SECONDS} s, ${CONNECTIONS} connections, one wrk thread.`,
]
console.log(lines.join('\n'))
if (process.argv.includes('--write')) writeFileSync(`${root}docs/bench.md`, `# Figures of make bench\n\n${lines.join('\n')}\n`)
