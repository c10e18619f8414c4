/**
 * `node infra/chaos/fuzz.ts [requests=10000] [seed=1]`: malformed requests to the whole product's gateway. Every answer has to be ours:
 * below 500, JSON under /api, without a stack, and nobody waits longer than the request's deadline. Nothing may be ordered or charged by it.
 */
import { connect } from 'node:net'
import { errorCatalogue } from '@passerelle/contracts/error'
import { counted, finish, must, ownFolder, percentiles, say } from './campaign.ts'
import { type MalformedRequest, malformedRequests } from './malformed-requests.ts'
import { system } from './system.ts'

const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number)
const folder = ownFolder()
say(`${count} requests, seed ${seed}, data ${folder}`)
const AT_ONCE = 16
const DEADLINE_MS = 15_000

const local = await system('one', folder)
await local.start()
const port = Number(new URL(local.url).port)
const requests = malformedRequests(seed, count)

/** All that comes back until the server closes the connection; null when it does not in time. */
function exchange({ kind, bytes }: MalformedRequest): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    // What is no whole request is ended by its sender: a server has nothing else to wait for.
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const socket = connect({ port, host: '127.0.0.1', signal }, () => (kind === 'raw' ? socket.end(bytes) : socket.write(bytes)))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(signal.aborted ? null : Buffer.concat(chunks)))
  })
}

function split(answer: Buffer): { status: number; head: string; text: string } {
  const text = answer.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const head = end < 0 ? text : text.slice(0, end)
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head: head.toLowerCase(), text: end < 0 ? '' : text.slice(end + 4) }
}

const STACK = /\bat .+\.(ts|js|mjs):\d+|node_modules|node:internal/

/** What is wrong with an answer; null: it is one of ours. A connection closed without a word suits what was not a request. */
function problemOf({ kind, bytes }: MalformedRequest, answer: Buffer | null): string | null {
  if (answer === null) return 'no end within the deadline'
  const [method = '', target = ''] = bytes.toString('latin1').split(/[ \r\n]+/, 2)
  if (answer.length === 0) return kind === 'raw' ? null : 'closed without an answer'
  const { status, head, text } = split(answer)
  if (status === 0) return 'not an HTTP answer'
  if (status >= 500) return `status ${status}`
  if (STACK.test(text)) return 'a stack or a path of ours'
  if (/x-powered-by|x-internal-|x-injected/.test(head)) return 'a header that must stay inside'
  const needsBody = method !== 'HEAD' && (kind === 'raw' || target.startsWith('/api/'))
  return status >= 400 && needsBody && !isErrorBody(head, text) ? `status ${status} without our JSON` : null
}

function isErrorBody(head: string, text: string): boolean {
  if (/^content-length: 0/m.test(head) || text === '') return false
  if (!/content-type: application\/json/.test(head)) return false
  try {
    const body = JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as Record<string, unknown>
    // The payment page reads a decline by `success`; an offer that is gone answers as a verification.
    return typeof body.message === 'string' && (typeof body.error === 'string' ? body.error in errorCatalogue : body.valid === false)
  } catch {
    return false
  }
}

const outcomes: { request: MalformedRequest; ms: number; status: number; text: string; problem: string | null }[] = []
let next = 0
const sendInTurn = async () => {
  for (let request = requests[next++]; request; request = requests[next++]) {
    const began = performance.now()
    const answer = await exchange(request)
    const ms = performance.now() - began
    const { status, text } = split(answer ?? Buffer.alloc(0))
    outcomes.push({ request, ms, status, text, problem: problemOf(request, answer) })
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn))

say('by status', counted(outcomes.map(({ status }) => String(status))))
say(`routes reached: ${new Set(outcomes.map(({ request }) => request.route)).size}; ms`, percentiles(outcomes))
const bad = outcomes.filter((one) => one.problem !== null)
for (const [problem, those] of Map.groupBy(bad, (one) => `${one.request.kind}: ${one.problem}`)) {
  say(`${those.length} x ${problem}`)
  for (const { request, text } of those.slice(0, 3))
    say(`   ${request.route} ${JSON.stringify(request.bytes.subarray(0, 200).toString('latin1'))} -> ${JSON.stringify(text.slice(0, 200))}`)
}
must('every request was answered with an answer of ours', bad.length === 0, counted(bad.map((one) => one.problem ?? '')))
const statuses = new Set(outcomes.map(({ status }) => status))
must('some requests were refused and some understood', statuses.has(400) && statuses.has(200))
const { orders, intents } = await local.ledgers()
const charged = intents.filter(({ captured }) => captured > 0).length
must('nothing was ordered or charged', orders.length + charged === 0, { orders: orders.length, charged })
must('the system still answers', (await fetch(`${local.url}/api/system/mode`)).status === 200)
finish()
