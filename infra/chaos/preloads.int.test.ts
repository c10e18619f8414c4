/** What campaigns load into processes: another clock, and an end at a named call. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockOptions, setClocks } from './clock.ts'
import { armCrash, crashOptions, disarm, hitOf } from './crash.ts'

const folder = mkdtempSync(join(tmpdir(), 'passerelle-preloads-'))
const script = join(folder, 'services/booking/main.ts')
const ordered: string[] = []
const supplier = createServer((request, response) => {
  ordered.push(request.url ?? '')
  response.end('made')
})
beforeAll(async () => {
  mkdirSync(join(folder, 'services/booking'), { recursive: true })
  await new Promise<void>((done) => supplier.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  supplier.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A service of a few lines, with what is loaded before it. */
async function runService(code: string, options: string): Promise<{ signal: string | null; output: string }> {
  writeFileSync(script, code)
  const env = { PATH: process.env.PATH, ADMIN_PORT: '7001', NODE_OPTIONS: options }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  return new Promise((resolve) => child.once('close', (_, signal) => resolve({ signal, output: output.trim() })))
}

const order = () => `
  await new Promise((done) => setTimeout(done, 300))
  await fetch('http://127.0.0.1:${(supplier.address() as AddressInfo).port}/air/orders?x=1', { method: 'POST' })
  console.log('went on')`

test.each([
  { side: 'before', seen: 0 },
  { side: 'after', seen: 1 },
] as const)('a process ends $side the call that is named, and the next one goes on', async ({ side, seen }) => {
  ordered.length = 0
  const crash = { id: side, service: 'booking', call: '^http POST /air/orders$', side, signal: 'SIGKILL' as const }
  armCrash(folder, crash)
  expect(await runService(order(), crashOptions(folder))).toEqual({ signal: 'SIGKILL', output: '' })
  expect(ordered).toHaveLength(seen)
  expect(hitOf(folder, side)).toMatchObject({ text: 'http POST /air/orders' })
  expect(await runService(order(), crashOptions(folder))).toEqual({ signal: null, output: 'went on' })
  disarm(folder)
})

test('a call of another service, or another call, is left alone', async () => {
  armCrash(folder, { id: 'other', service: 'payment', call: '/air/orders', side: 'before', signal: 'SIGKILL' })
  expect(await runService(order(), crashOptions(folder))).toMatchObject({ signal: null })
  armCrash(folder, { id: 'other', service: 'booking', call: '/air/offers', side: 'before', signal: 'SIGKILL' })
  expect(await runService(order(), crashOptions(folder))).toMatchObject({ signal: null })
  expect(hitOf(folder, 'other')).toBeNull()
})

test('the kit tells the time that is set for the process, by its admin port', async () => {
  const tell = `import { nowMs } from '${new URL('../../packages/kit/runtime.ts', import.meta.url).href}'
    console.log(Math.round((nowMs() - Date.now()) / 1000))`
  setClocks(folder, { 7001: 600_000, 7002: 5000 })
  expect(await runService(tell, clockOptions(folder))).toEqual({ signal: null, output: '600' })
  setClocks(folder, { 7002: 5000 })
  expect(await runService(tell, clockOptions(folder))).toEqual({ signal: null, output: '0' })
})
