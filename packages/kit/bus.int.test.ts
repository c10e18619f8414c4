import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  GROUP,
  openWorld,
  type StepEvent,
  stepSkipped,
  steps,
  stepTaken,
  taken,
  until,
  upTo,
  type World,
  withAdmin,
} from './bus.fixture.ts'
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
