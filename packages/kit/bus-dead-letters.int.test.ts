/** Events that cannot be handled: retries, dead letters, and waiting for other services. */
import { ApiError } from '@passerelle/contracts/client'
import { AppError } from '@passerelle/contracts/error'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openWorld, type StepEvent, steps, stepTaken, taken, until, upTo, type World } from './bus.fixture.ts'
import { on } from './bus.ts'
import { header } from './bus-message.ts'

let servers: TestServers
let world: World

beforeAll(async () => {
  servers = await testServers()
})
afterAll(() => servers.stop())
afterEach(() => world.stop())

test('an unreadable message becomes a dead letter with its origin, and the next event is handled', async () => {
  world = await openWorld(servers.environment)
  const seen: StepEvent[] = []
  const member = await world.member([on(stepTaken, async (event) => void seen.push(event))])
  const type = { ce_type: 'travel.step.taken.v1', ce_id: 'poison' }
  const good = JSON.stringify({ bookingId: 'b1', step: 1 })
  const poison: [reason: string, value: string | null, headers: Record<string, string>][] = [
    ['not-json', '{"bookingId":', type],
    ['not-json', null, type],
    ['not-json', 'x'.repeat(1_000_000), type],
    ['schema', 'null', type],
    ['schema', JSON.stringify({ bookingId: 'b1', step: 'one' }), type],
    ['schema', JSON.stringify({ bookingId: 'b1' }), type],
    ['no-type', good, { ce_id: 'poison' }],
    ['no-id', good, { ce_type: type.ce_type }],
  ]
  for (const [, value, headers] of poison) await world.sendRaw([{ key: 'b1', value, headers }])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await until(() => steps(seen, 'b1')).toEqual([1])

  const [origin] = (await world.messagesIn(world.events)).slice(-1)
  const aside = await world.messagesIn(world.deadLetters)
  expect(aside.map((letter) => header(letter, 'dlq_reason'))).toEqual(poison.map(([reason]) => reason))
  expect(aside.map((letter) => letter.value?.toString() ?? null)).toEqual(poison.map(([, value]) => value))
  expect(aside.map((letter) => Number(header(letter, 'dlq_offset')))).toEqual(poison.map((_, i) => i))
  expect(Number(origin?.offset)).toBe(poison.length)
  for (const letter of aside) {
    expect(letter.key?.toString()).toBe('b1')
    expect(header(letter, 'dlq_topic')).toBe(world.events)
    expect(header(letter, 'dlq_partition')).toMatch(/^[0-3]$/)
    expect(header(letter, 'dlq_attempts')).toBe('0')
    expect(Date.parse(header(letter, 'dlq_at') ?? '')).toBeGreaterThan(0)
  }
  expect(header(aside[0]!, 'ce_id')).toBe('poison')
  expect(await member.count('dead')).toBe(poison.length)
  expect(member.fatal).toEqual([])
})

test('a message too large for the dead-letter topic becomes a dead letter without its value, and the next event is handled', async () => {
  world = await openWorld(servers.environment, { deadLetterBytes: 2000 })
  const seen: StepEvent[] = []
  await world.member([on(stepTaken, async (event) => void seen.push(event))])
  await world.sendRaw([{ key: 'b1', value: 'x'.repeat(5000), headers: { ce_type: 'travel.step.taken.v1', ce_id: 'large' } }])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await until(() => steps(seen, 'b1')).toEqual([1])
  const [letter] = await world.messagesIn(world.deadLetters)
  expect(letter?.value).toBeNull()
  expect(header(letter!, 'dlq_value')).toBe('left at the origin: too large')
  expect([header(letter!, 'dlq_offset'), header(letter!, 'ce_id')]).toEqual(['0', 'large'])
})

test('a handler that throws a TypeError is retried with pauses, then its event becomes a dead letter, and the group goes on', async () => {
  world = await openWorld(servers.environment)
  const tries: number[] = []
  const member = await world.member([
    on(stepTaken, async ({ data }) => {
      tries.push(data.step)
      if (data.step === 1) (undefined as unknown as { boom(): void }).boom()
    }),
  ])
  const { bus } = await world.publisher()
  const bad = taken('b1', 1)
  await bus.publish([bad, taken('b1', 2)])
  await until(() => tries).toEqual([1, 1, 1, 1, 2])
  const letters = await world.messagesIn(world.deadLetters)
  expect(letters.map((letter) => [header(letter, 'ce_id'), header(letter, 'dlq_reason'), header(letter, 'dlq_attempts')])).toEqual([
    [bad.id, 'TypeError', '4'],
  ])
  expect(JSON.stringify(letters[0]?.headers)).not.toContain('boom')
  expect(member.fatal).toEqual([])
  await bus.publish([taken('b1', 3)])
  await until(() => tries).toEqual([1, 1, 1, 1, 2, 3])
})

test('a handler that fails twice and then succeeds leaves no dead letter', async () => {
  world = await openWorld(servers.environment)
  let tries = 0
  const member = await world.member([
    on(stepTaken, async () => {
      tries += 1
      if (tries < 3) throw new RangeError('not yet')
    }),
  ])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await until(() => member.count('done')).toBe(1)
  expect(tries).toBe(3)
  expect(await world.messagesIn(world.deadLetters)).toEqual([])
})

test('while another service is unavailable events wait in order and none becomes a dead letter', async () => {
  world = await openWorld(servers.environment)
  let away: AppError | undefined = new AppError('UPSTREAM_UNAVAILABLE')
  const seen: StepEvent[] = []
  const member = await world.member([
    on(stepTaken, async (event) => {
      if (event.key === 'needs-peer' && away) throw away
      seen.push(event)
    }),
  ])
  const { bus } = await world.publisher()
  await bus.publish(upTo(3).map((step) => taken('needs-peer', step)))
  await until(() => member.count('waiting')).toBeGreaterThan(2)
  away = new AppError('RATE_LIMITED')
  const waits = await member.count('waiting')
  await until(() => member.count('waiting')).toBeGreaterThan(waits + 2)
  for (const id of ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8']) await bus.publish([taken(id, 1)])
  // Other partitions go on.
  await until(() => seen.length).toBeGreaterThan(0)
  expect(steps(seen, 'needs-peer')).toEqual([])
  away = undefined
  await until(() => steps(seen, 'needs-peer')).toEqual([1, 2, 3])
  await until(() => seen.length).toBe(11)
  expect(await world.messagesIn(world.deadLetters)).toEqual([])
  expect(member.fatal).toEqual([])
})

test('an event on which another service always fails becomes a dead letter after its attempts, and the partition goes on', async () => {
  world = await openWorld(servers.environment)
  const fault = new ApiError(500, '', JSON.stringify(new AppError('INTERNAL_ERROR').toBody('r1')))
  const seen: StepEvent[] = []
  const member = await world.member([
    on(stepTaken, async (event) => {
      if (event.data.step === 1) throw new AppError('UPSTREAM_UNAVAILABLE', { cause: fault })
      seen.push(event)
    }),
  ])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1), taken('b1', 2)])
  await until(() => steps(seen, 'b1')).toEqual([2])
  const letters = await world.messagesIn(world.deadLetters)
  expect(letters.map((letter) => header(letter, 'dlq_attempts'))).toEqual(['4'])
  expect(await member.count('waiting')).toBe(0)
})
