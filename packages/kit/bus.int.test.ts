/** What the bus promises to services, with members that come and go, while everything it needs is there. */
import { ApiError } from '@passerelle/contracts/client'
import { AppError } from '@passerelle/contracts/error'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { GROUP, openWorld, type StepEvent, stepSkipped, stepTaken, taken, type World, withAdmin } from './bus.fixture.ts'
import { on } from './bus.ts'
import { header } from './bus-message.ts'
import { createOutboxEvent } from './outbox.ts'
import { delay } from './runtime.ts'

let servers: TestServers
let world: World

beforeAll(async () => {
  servers = await testServers()
})
afterAll(() => servers.stop())
afterEach(() => world.stop())

const until = <T>(probe: () => T | Promise<T>) => expect.poll(probe, { timeout: 25_000, interval: 20 })
const steps = (events: StepEvent[], bookingId: string) => events.filter((one) => one.key === bookingId).map((one) => one.data.step)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

const members = () =>
  withAdmin(world.kafka, async (admin) => {
    const { groups } = await admin.describeGroups([world.namespace + GROUP])
    return groups[0]?.members.map((one) => one.memberId) ?? []
  })

/** A gate that a handler waits at. */
function gate() {
  let open!: () => void
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

test('EVT-05: events of one booking are handled in order, whatever other bookings do between', async () => {
  world = await openWorld(servers.environment)
  const seen: StepEvent[] = []
  await world.member([on(stepTaken, async (event) => void seen.push(event))])
  const { bus } = await world.publisher()
  const bookings = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']
  for (const step of upTo(30)) await bus.publish(bookings.map((id) => taken(id, step)))
  await until(() => seen.length).toBe(180)
  for (const id of bookings) expect(steps(seen, id)).toEqual(upTo(30))
})

test('an event arrives as it was published, with the id of the request that caused it', async () => {
  world = await openWorld(servers.environment)
  const seen: StepEvent[] = []
  await world.member([on(stepTaken, async (event) => void seen.push(event))])
  const { bus } = await world.publisher()
  const { topic: _, ...told } = { ...taken('b1', 7, 'request-1'), traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  await bus.publish([{ ...told, topic: 'booking.events' }])
  await until(() => seen).toEqual([told])
})

test('a published event is a CloudEvent in binary mode', async () => {
  world = await openWorld(servers.environment)
  const { bus } = await world.publisher()
  const event = taken('b1', 7, 'request-1')
  await bus.publish([event])
  const [message] = await world.messagesIn(world.events)
  expect(message?.key?.toString()).toBe('b1')
  expect(JSON.parse(message?.value?.toString() ?? '')).toEqual({ bookingId: 'b1', step: 7 })
  expect(message?.timestamp).toBe(String(Date.parse(event.at)))
  expect(Object.fromEntries(Object.keys(message?.headers ?? {}).map((name) => [name, header(message!, name)]))).toEqual({
    ce_specversion: '1.0',
    ce_id: event.id,
    ce_source: '/services/walker',
    ce_type: 'travel.step.taken.v1',
    ce_subject: 'b1',
    ce_time: event.at,
    ce_partitionkey: 'b1',
    ce_sequence: '7',
    ce_requestid: 'request-1',
    'content-type': 'application/json',
  })
})

test('an event of an unknown type is skipped', async () => {
  world = await openWorld(servers.environment)
  const seen: StepEvent[] = []
  const member = await world.member([on(stepTaken, async (event) => void seen.push(event))])
  const { bus } = await world.publisher()
  const unknown = createOutboxEvent(stepSkipped, { bookingId: 'b1', step: 1 }, { sequence: 1, at: new Date() })
  await bus.publish([unknown, { ...taken('b1', 2), version: 99 }, taken('b1', 3)])
  await until(() => steps(seen, 'b1')).toEqual([3])
  expect(await member.count('ignored')).toBe(2)
  expect(await world.messagesIn(world.deadLetters)).toEqual([])
})

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

test('EVT-04: the same event twice has its effect once, and once in each group', async () => {
  world = await openWorld(servers.environment)
  const first: StepEvent[] = []
  const second: StepEvent[] = []
  const member = await world.member([on(stepTaken, async (event) => void first.push(event))])
  const other = await world.publisher()
  await other.bus.consume({ group: 'other', subscriptions: [on(stepTaken, async (event) => void second.push(event))] }, world.mongo)
  const event = taken('b1', 1)
  await other.bus.publish([event, event])
  await other.bus.publish([event])
  await other.bus.publish([taken('b1', 2)])
  await until(() => steps(first, 'b1')).toEqual([1, 2])
  await until(() => steps(second, 'b1')).toEqual([1, 2])
  expect(await member.count('duplicate')).toBe(2)
})

test('a handler that takes longer than the session timeout stays in its group, and its event is handled once', async () => {
  world = await openWorld(servers.environment)
  const runs: number[] = []
  const member = await world.member(
    [
      on(stepTaken, async ({ data }) => {
        runs.push(data.step)
        if (data.step === 1) await delay(8000)
      }),
    ],
    { sessionMs: 6000, heartbeatMs: 500 },
  )
  const before = await members()
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1), taken('b1', 2)])
  await until(() => runs).toEqual([1, 2])
  await until(() => member.count('done')).toBe(2)
  expect(await member.count('duplicate')).toBe(0)
  expect(before).toHaveLength(1)
  expect(await members()).toEqual(before)
})

test('a consumer that is stopped while it joins does not stay a member', async () => {
  world = await openWorld(servers.environment)
  const busy = gate()
  const held = gate()
  await world.member([
    on(stepTaken, async () => {
      busy.open()
      await held.passed
    }),
  ])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await busy.passed
  // The group forms anew when the busy member is done: until then the second one is joining.
  const second = await world.begin([on(stepTaken, async () => undefined)], { sessionMs: 600_000 })
  await until(async () => (await members()).length).toBe(2)
  const stopped = second.stop()
  held.open()
  await stopped
  await until(async () => (await members()).length).toBe(1)
})

test('a handler that never ends stops the heartbeats, so that the process is found stuck', async () => {
  world = await openWorld(servers.environment)
  const stuck = gate()
  const member = await world.member([on(stepTaken, () => stuck.passed)], { heartbeatMs: 100, handlerMs: 1000 })
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await until(() => member.bus.msSinceHeartbeat()).toBeGreaterThan(3000)
  stuck.open()
  await until(() => member.bus.msSinceHeartbeat()).toBeLessThan(500)
})

test('members that join and leave lose nothing, keep the order and cause each effect once', async () => {
  world = await openWorld(servers.environment)
  const seen: StepEvent[] = []
  const join = () =>
    world.member([
      on(stepTaken, async (event) => {
        await delay(2)
        seen.push(event)
      }),
    ])
  const { bus } = await world.publisher()
  const bookings = upTo(10).map((n) => `b${n}`)
  const first = await join()
  const publishing = (async () => {
    for (const step of upTo(40)) {
      await bus.publish(bookings.map((id) => taken(id, step)))
      await delay(50)
    }
  })()
  const second = await join()
  await first.stop()
  const third = await join()
  await join()
  await second.stop()
  await third.stop()
  await publishing
  await until(() => new Set(seen.map((event) => event.id)).size).toBe(400)
  await until(() => world.lag()).toBe(0)
  expect(seen).toHaveLength(400)
  for (const id of bookings) expect(steps(seen, id)).toEqual(upTo(40))
}, 60_000)

test('a stop waits for the running handler, and its event is not handled again', async () => {
  world = await openWorld(servers.environment)
  const started = gate()
  const finish = gate()
  const runs: string[] = []
  const leaving = await world.member([
    on(stepTaken, async ({ data }) => {
      started.open()
      await finish.passed
      runs.push(`leaving ${data.step}`)
    }),
  ])
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1), taken('b1', 2)])
  await started.passed
  const stopped = leaving.stop()
  finish.open()
  await stopped
  expect(runs).toEqual(['leaving 1'])
  const next = await world.member([on(stepTaken, async ({ data }) => void runs.push(`next ${data.step}`))])
  await until(() => runs).toEqual(['leaving 1', 'next 2'])
  expect(await next.count('duplicate')).toBe(0)
})

test('a stop does not wait for the pauses of a failing handler, and the next member handles the event again', async () => {
  world = await openWorld(servers.environment)
  const failed = gate()
  const leaving = await world.member(
    [
      on(stepTaken, async () => {
        failed.open()
        throw new Error('no')
      }),
    ],
    { retryPausesMs: [3_600_000] },
  )
  const { bus } = await world.publisher()
  await bus.publish([taken('b1', 1)])
  await failed.passed
  await leaving.stop()
  const seen: StepEvent[] = []
  await world.member([on(stepTaken, async (event) => void seen.push(event))])
  await until(() => steps(seen, 'b1')).toEqual([1])
  expect(await world.messagesIn(world.deadLetters)).toEqual([])
})
