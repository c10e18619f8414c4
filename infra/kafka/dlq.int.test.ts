/** Dead letters made by real consumers, looked at, sent back and dropped with the tool's own words. */
import { bookingPending } from '@passerelle/contracts/events/booking'
import { type BusOptions, connectBus, on } from '@passerelle/kit/bus'
import { prepareInbox } from '@passerelle/kit/inbox'
import { kafkaClient } from '@passerelle/kit/kafka'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { connectMongo } from '@passerelle/kit/mongo'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLetters, redrive } from './dead-letters.ts'
import { runDlq, UsageError } from './dlq-command.ts'

const GROUP = 'booking-mail'
const log = createLog('test', 'silent')

let servers: TestServers
let world: Awaited<ReturnType<typeof openWorld>>

beforeEach(async () => {
  servers = await testServers()
  world = await openWorld()
})
afterEach(async () => {
  await world.stop()
  await servers.stop()
})

const until = <T>(probe: () => T | Promise<T>) => expect.poll(probe, { timeout: 20_000, interval: 20 })

const completed = (bookingId: string) =>
  createOutboxEvent(
    bookingPending,
    { bookingId, reference: 'ABCDEFGH', brand: 'default', mode: 'test', paymentId: 'pay_1' },
    { sequence: 1, at: new Date() },
  )

/** A group that cannot handle anything until `mend`, another one that can, and what both have done. */
async function openWorld() {
  const { MONGO_URL, KAFKA_BROKERS, NAMESPACE } = servers.environment
  const mongo = await connectMongo(MONGO_URL, `${NAMESPACE}dlq`, log)
  await prepareInbox(mongo)
  const options: BusOptions = {
    brokers: KAFKA_BROKERS,
    clientId: 'booking',
    namespace: NAMESPACE,
    log,
    metrics: createMetrics('test'),
    onFatal: (error) => {
      throw error
    },
    timing: { retryPausesMs: [5], dependencyPauseMs: 50 },
  }
  const bus = await connectBus(options)
  const mailed: { id: string; key: string }[] = []
  const paid: string[] = []
  let broken = true
  await bus.consume(
    {
      group: GROUP,
      subscriptions: [
        on(bookingPending, async ({ id, key }) => {
          if (broken) throw new TypeError('no template')
          mailed.push({ id, key })
        }),
      ],
    },
    mongo,
  )
  await bus.consume({ group: 'payment', subscriptions: [on(bookingPending, async ({ id }) => void paid.push(id))] }, mongo)
  const kafka = kafkaClient({ brokers: KAFKA_BROKERS, clientId: 'test', log })
  const topic = `${NAMESPACE}${GROUP}.dlq`
  return {
    bus,
    kafka,
    topic,
    origin: `${NAMESPACE}booking.events`,
    mailed,
    paid,
    mend: () => {
      broken = false
    },
    letters: async () => (await readLetters(kafka, [topic])).get(topic) ?? [],
    async sendRaw(target: string, messages: { key: string; value: string; headers: Record<string, string> }[]) {
      const producer = kafka.producer()
      await producer.connect()
      await producer.send({ topic: target, messages })
      await producer.disconnect()
    },
    async stop() {
      await bus.stop()
      await mongo.dropDatabase()
      await mongo.close()
    },
  }
}

async function dlq(...words: string[]): Promise<string[]> {
  const lines: string[] = []
  await runDlq(words, servers.environment, (line) => lines.push(line))
  return lines
}

test('letters are counted and shown, sent back under the same id and key, and then done with', async () => {
  const events = ['b1', 'b2', 'b3'].map(completed)
  await world.bus.publish(events)
  await until(async () => (await world.letters()).length).toBe(3)
  await until(() => world.paid.length).toBe(3)

  const list = await dlq('list')
  expect(list.map((line) => line.split(':')[0])).toEqual(['booking', 'booking-mail', 'payment', 'identity', 'brand'])
  expect(list[1]).toMatch(/^booking-mail: 3 open, oldest of \d{4}-.*: TypeError 3 \(redriven 0, dropped 0\)$/)
  expect(list[2]).toBe('payment: 0 open (redriven 0, dropped 0)')
  const show = (await dlq('show', '--group', GROUP)).join('\n')
  for (const { id, key } of events) expect(show).toContain(`travel.booking.pending.v1 id ${id} key ${key}`)
  expect(show).toContain(`TypeError after 2 attempt(s), from ${world.origin}/`)
  expect(show).toContain('"ce_subject":"b1"')
  expect(show).toContain('"reference":"ABCDEFGH"')

  world.mend()
  expect((await dlq('redrive', '--group', GROUP)).at(-1)).toBe('would redrive 3 of 3; --apply does it')
  expect((await dlq('list', '--group', GROUP))[0]).toContain('3 open')
  expect((await dlq('redrive', '--group', GROUP, '--apply')).at(-1)).toBe('redriven: 3 of 3')
  await until(() => new Set(world.mailed.map(({ id }) => id))).toEqual(new Set(events.map(({ id }) => id)))
  expect(world.mailed.every(({ id, key }) => events.some((event) => event.id === id && event.key === key))).toBe(true)
  expect(await dlq('list', '--group', GROUP)).toEqual(['booking-mail: 0 open (redriven 3, dropped 0)'])
  expect(await dlq('redrive', '--group', GROUP, '--apply')).toEqual(['none'])

  // The other group had handled them before: for it they are repetitions.
  const last = completed('b4')
  await world.bus.publish([last])
  await until(() => world.paid).toContain(last.id)
  expect(world.paid).toHaveLength(4)
  expect(world.mailed.filter(({ id }) => id !== last.id)).toHaveLength(3)
})

test('a dry run sends nothing and marks nothing', async () => {
  await world.bus.publish([completed('b1')])
  await until(async () => (await world.letters()).length).toBe(1)
  const ends = async () => {
    const admin = world.kafka.admin()
    await admin.connect()
    const found = [await admin.fetchTopicOffsets(world.topic), await admin.fetchTopicOffsets(world.origin)]
    await admin.disconnect()
    return found
  }
  const before = await ends()
  await dlq('redrive', '--group', GROUP)
  await dlq('drop', '--group', GROUP)
  await dlq('show', '--group', GROUP)
  expect(await ends()).toEqual(before)
})

test('letters are chosen by id, offset or reason; dropped ones stay readable', async () => {
  const events = ['b1', 'b2', 'b3', 'b4'].map(completed)
  for (const event of events) {
    await world.bus.publish([event])
    await until(async () => (await world.letters()).length).toBe(events.indexOf(event) + 1)
  }
  await world.sendRaw(world.origin, [
    { key: 'b5', value: 'not json', headers: { ce_type: 'travel.booking.pending.v1', ce_id: 'malformed' } },
  ])
  await until(async () => (await world.letters()).length).toBe(5)
  world.mend()

  expect(await dlq('drop', '--group', GROUP, '--reason', 'not-json', '--apply')).toEqual([
    'drop offset 4 travel.booking.pending.v1 id malformed key b5',
    'dropped: 1 of 1',
  ])
  expect((await dlq('redrive', '--group', GROUP, '--id', events[1]!.id, '--id', events[2]!.id, '--apply')).at(-1)).toBe('redriven: 2 of 2')
  await until(() => world.mailed.map(({ key }) => key).sort()).toEqual(['b2', 'b3'])
  expect((await dlq('redrive', '--group', GROUP, '--offset', '3', '--apply')).at(-1)).toBe('redriven: 1 of 1')
  await until(() => world.mailed.map(({ key }) => key).sort()).toEqual(['b2', 'b3', 'b4'])
  expect((await dlq('list', '--group', GROUP))[0]).toMatch(/^booking-mail: 1 open, .*: TypeError 1 \(redriven 3, dropped 1\)$/)
  const open = (await dlq('show', '--group', GROUP)).join('\n')
  expect(open).toContain(events[0]!.id)
  expect(open).not.toContain('malformed')
  const all = (await dlq('show', '--group', GROUP, '--all')).join('\n')
  expect(all).toContain('id malformed')
  expect(all).toMatch(/ {2}dropped \d{4}-/)
  expect(all).toMatch(/ {2}redriven \d{4}-/)
})

test('what was sent back but not marked, because the tool was killed, goes back again and has its effect once', async () => {
  const event = completed('b1')
  await world.bus.publish([event])
  await until(async () => (await world.letters()).length).toBe(1)
  world.mend()
  const letters = await world.letters()
  await redrive(world.kafka, world.topic, letters)
  await redrive(world.kafka, world.topic, letters)
  const last = completed('b1')
  await world.bus.publish([last])
  await until(() => world.mailed.map(({ id }) => id)).toEqual([event.id, last.id])
})

test('a letter that fails again is a new letter', async () => {
  await world.bus.publish([completed('b1')])
  await until(async () => (await world.letters()).length).toBe(1)
  await dlq('redrive', '--group', GROUP, '--apply')
  await until(async () => (await dlq('list', '--group', GROUP))[0]).toMatch(/: 1 open, .*\(redriven 1, dropped 0\)$/)
})

test('a letter whose value was left behind, or that comes from no topic of events, is kept', async () => {
  const headers = { ce_id: 'e1', ce_type: 'travel.booking.pending.v1', dlq_reason: 'schema', dlq_partition: '0', dlq_offset: '0' }
  await world.sendRaw(world.topic, [
    { key: 'b1', value: '', headers: { ...headers, dlq_topic: world.origin, dlq_value: 'left at the origin: too large' } },
    { key: 'b2', value: '{}', headers: { ...headers, dlq_topic: 'somebody.elses' } },
  ])
  expect(await dlq('redrive', '--group', GROUP, '--apply')).toEqual([
    'keep offset 0 travel.booking.pending.v1 id e1 key b1: its value was left at the origin',
    'keep offset 1 travel.booking.pending.v1 id e1 key b2: somebody.elses is no topic of events',
    'redriven: 0 of 2',
  ])
  expect((await dlq('list', '--group', GROUP))[0]).toContain('2 open')
})

test('a card number or an e-mail address in a foreign message is not shown', async () => {
  const value = JSON.stringify({ note: 'mia@example.com', number: '4242424242424242' })
  await world.sendRaw(world.topic, [{ key: 'b1', value, headers: { ce_id: 'e1', dlq_topic: world.origin, dlq_reason: 'no-type' } }])
  const shown = (await dlq('show', '--group', GROUP)).join('\n')
  expect(shown).toContain('[email]')
  expect(shown).toContain('[card]')
  expect(shown).not.toMatch(/mia@|4242424242424242/)
})

test('words that make no sense are refused before anything is asked of the bus', async () => {
  for (const words of [
    ['explode'],
    ['show'],
    ['redrive', '--apply'],
    ['list', '--group', 'strangers'],
    ['list', 'more'],
    ['list', '--force'],
  ])
    await expect(
      runDlq(words, {}, () => undefined),
      words.join(' '),
    ).rejects.toBeInstanceOf(UsageError)
  await expect(runDlq(['explode'], {}, () => undefined)).rejects.toThrow('there is no "explode"')
  await expect(runDlq(['drop'], {}, () => undefined)).rejects.toThrow('drop needs --group')
  await expect(runDlq(['list', '--group', 'strangers'], {}, () => undefined)).rejects.toThrow('there is no group "strangers"')
  await expect(runDlq(['list', '--force'], {}, () => undefined)).rejects.toThrow("Unknown option '--force'")
})
