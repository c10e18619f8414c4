/** Seeds of every test run; `make simulate` runs as many as it is told. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

async function simulate(environment: Record<string, string>): Promise<string> {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  return await text(child.stdout)
}

const hashOf = (output: string) => /trace hash (\w{16})/.exec(output)?.[1]

test('I1 to I9, I11 to I13, C1 to C29: money and tickets end together whatever fails on the way, for 500 seeds', {
  timeout: 600_000,
}, async () => {
  const halves = await Promise.all([simulate({ RUNS: '250' }), simulate({ SEED: '251', RUNS: '250' })])
  expect(halves[0]).toMatch(/^seeds 1 to 250: every invariant held/)
  expect(halves[1]).toMatch(/^seeds 251 to 500: every invariant held/)
})

test('the same seeds leave the same trace, and others another', { timeout: 120_000 }, async () => {
  const [first, again, others] = [await simulate({ RUNS: '5' }), await simulate({ RUNS: '5' }), await simulate({ SEED: '6', RUNS: '5' })]
  expect(hashOf(first)).toMatch(/^\w{16}$/)
  expect(hashOf(again)).toBe(hashOf(first))
  expect(hashOf(others)).not.toBe(hashOf(first))
})

test('a mistake in the product is noticed', { timeout: 120_000 }, async () => {
  expect(JSON.parse(await simulate({ MUTANT: '0', RUNS: '2000' }))).toMatchObject({ mutant: 'changes do not compare the version' })
})
