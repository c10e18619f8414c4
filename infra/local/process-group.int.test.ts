import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandOf, endLeftovers, type ProcessGroup, processGroup } from './process-group.ts'
import { eventually } from './test-visitor.fixture.ts'

let folder: string
let group: ProcessGroup | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'group-'))
  writeFileSync(
    join(folder, 'main.ts'),
    "process.on('SIGINT', () => process.exit(0)); console.log('up'); setInterval(() => undefined, 1000)\n",
  )
})
afterEach(() => {
  group?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const start = () => {
  group = processGroup(join(folder, 'run'), join(folder, 'logs'))
  group.start({ name: 'booking-1', script: join(folder, 'main.ts'), environment: {} })
}
const pidFile = () => join(folder, 'run', 'booking-1.pid')
const pid = () => (existsSync(pidFile()) ? Number(readFileSync(pidFile(), 'utf8')) : 0)
const log = () => readFileSync(join(folder, 'logs', 'booking-1.log'), 'utf8')

test('a killed child comes back by itself under another process id, and its log goes on', async () => {
  start()
  const first = pid()
  await eventually('the first', async () => log().includes('up'))
  process.kill(first, 'SIGKILL')
  await eventually('a second', async () => pid() > 0 && pid() !== first && commandOf(pid()).includes('main.ts'))
  await eventually('its log', async () => log().split('up').length === 3)
})

test('stopping ends the children, takes their pid files away and starts none again', async () => {
  start()
  await eventually('it', async () => log().includes('up'))
  const child = pid()
  await group?.stop()
  expect(commandOf(child)).toBe('')
  expect(existsSync(pidFile())).toBe(false)
})

test('what an earlier run has left is ended, and a process id that belongs to somebody else is left alone', async () => {
  start()
  const left = pid()
  writeFileSync(join(folder, 'run', 'search.pid'), `${process.pid}\n`)
  expect(await endLeftovers(join(folder, 'run'), folder)).toEqual(['booking-1'])
  expect(commandOf(left)).not.toContain('main.ts')
  expect(commandOf(process.pid)).not.toBe('')
})
