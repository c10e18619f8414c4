/** A restore of an older copy of the databases, and the bookings that it has lost. `TEST_SERVERS=real`: on a real mongod. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reconcileCommand } from '@passerelle/booking/reconciliations/command'
import { rebuildCommand } from '@passerelle/booking/reconciliations/rebuild-command'
import type { Booking } from '@passerelle/contracts/http/booking'
import { executeCommand } from '@passerelle/kit/command'
import { createLog } from '@passerelle/kit/log'
import { connectMongo } from '@passerelle/kit/mongo'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUp, restore } from './backup.ts'
import { day } from './searches.fixture.ts'
import {
  eventually,
  type LocalSystem,
  ledger,
  localSystem,
  type Mailbox,
  party,
  type StripeLedger,
  testCard,
  Visitor,
} from './test-visitor.fixture.ts'

const PASSWORD = 'Chosen-By-Me-12'
const today = new Date().toISOString().slice(0, 10)
let servers: TestServers
let system: LocalSystem
let folder: string
beforeAll(async () => {
  servers = await testServers()
  folder = mkdtempSync(join(tmpdir(), 'rebuilt-'))
  system = await localSystem(servers.environment)
})
afterAll(async () => {
  await system.stop()
  await servers.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(command: typeof reconcileCommand, ...flags: string[]): Promise<string[]> {
  const lines: string[] = []
  const { MONGO_URL, NAMESPACE } = servers.environment
  const given = { args: ['--day', today, ...flags], environment: { MONGO_URL, NAMESPACE } }
  await executeCommand(command, { ...given, print: (text) => lines.push(...text.split('\n')) })
  return lines
}
const kinds = (lines: string[]) => lines.map((line) => line.split('  ')[0])
const mails = async () => (await ledger<Mailbox>(system.mailbox)).messages
const documents = async <T>(name: string) => {
  const mongo = await connectMongo(servers.environment.MONGO_URL, `${servers.environment.NAMESPACE}booking`, createLog('test', 'silent'))
  const found = await mongo.collection(name).find({}).toArray()
  await mongo.close()
  return found as T[]
}

/** Ines has an account with a proved address, and a booking that the copy has. */
async function signedIn(): Promise<{ ines: Visitor; email: string }> {
  const ines = await new Visitor(system.url).known()
  const first = await ines.book(await ines.offer(search(50)), { cardDetails: testCard })
  const email = first.body.accountInfo?.email ?? ''
  const welcome = await eventually('the welcome', async () =>
    (await mails()).find((one) => one.to.includes(email) && one.text.includes('set-password#')),
  )
  const token = /set-password#([\w-]+)/.exec(welcome.text)?.[1]
  expect((await ines.post('/api/auth/set-password', { token, newPassword: PASSWORD })).status).toBe(200)
  expect((await ines.post('/api/auth/login', { username: email, password: PASSWORD })).status).toBe(200)
  return { ines, email }
}
const search = (days: number) => `origin=CDG&destination=LIS&departureDate=${day(days)}`

test('bookings that a restored copy has lost are named, made again once, and cancelled and refunded like any other', {
  timeout: 180_000,
}, async () => {
  const { ines, email } = await signedIn()
  const where = {
    url: servers.environment.MONGO_URL,
    namespace: servers.environment.NAMESPACE,
    folder: join(folder, 'copy'),
    log: createLog('backup', 'silent'),
  }
  await backUp(where)

  const refundable = await ines.offer(search(51), (one) => one.conditions.refundable && one.owner.iata_code === 'ZZ')
  const seat = await ines.freeSeat(refundable, refundable.passengers[0]?.id ?? '')
  const passengers = party(refundable, { email })
  const second = await ines.book(refundable, { cardDetails: testCard }, { passengers, seats: [seat] })
  const plain = await ines.offer(search(52))
  const third = await ines.book(plain, { cardDetails: testCard }, { passengers: party(plain, { email }) })
  expect([second.body.status, third.body.status]).toEqual(['confirmed', 'confirmed'])
  await eventually(
    'three confirmations',
    async () => (await mails()).filter(({ subject }) => subject.startsWith('Booking confirmed')).length === 3,
  )
  const before = (await ines.get<Booking>(`/api/bookings/${second.body.id}`)).body

  await system.restart(() => restore(where, true))
  const differences = await run(reconcileCommand)
  expect(kinds(differences.slice(1)).toSorted()).toEqual([
    'order-without-booking',
    'order-without-booking',
    'payment-unknown',
    'payment-unknown',
  ])

  const would = await run(rebuildCommand)
  expect(kinds(would).filter((kind) => kind === 'would-be-rebuilt')).toHaveLength(2)
  expect(would).toContain('2 would be rebuilt, 0 refused')
  expect(await documents('bookings')).toHaveLength(1)

  const done = await run(rebuildCommand, '--apply')
  expect(done).toContain('2 rebuilt, 0 refused')
  expect(done.at(-1)).toBe(`${today}, test mode: 3 bookings, 3 orders and 3 payments compared, 0 differences`)
  expect(await run(rebuildCommand, '--apply')).toContain('0 rebuilt, 0 refused')
  const audit = await documents<{ action: string; subject: string; actor: string }>('audit')
  expect(audit.filter(({ action }) => action === 'booking-rebuilt').map(({ subject, actor }) => [subject, actor])).toEqual([
    [second.body.bookingReference, 'operator'],
    [third.body.bookingReference, 'operator'],
  ])

  await eventually('the trips', async () => (await ines.get<Booking[]>('/api/bookings')).body.length === 3)
  const after = (await ines.get<Booking>(`/api/bookings/${second.body.id}`)).body
  for (const field of ['status', 'bookingReference', 'airlineReference', 'charged', 'paid', 'cardLast4', 'cancellation'] as const)
    expect(after[field], field).toEqual(before[field])
  expect(after.bookingData.passengers.map(({ given_name }) => given_name)).toEqual(
    before.bookingData.passengers.map(({ ticketName, given_name }) => ticketName?.given_name ?? given_name),
  )
  expect(after.bookingData.slices.map(({ departure_time }) => departure_time)).toEqual(
    before.bookingData.slices.map(({ departure_time }) => departure_time),
  )
  expect(after.bookingData.seats.map(({ seatId, segmentId }) => [seatId, segmentId])).toEqual([[seat.seatId, seat.segmentId]])
  expect((await ines.get(`/api/bookings/${second.body.id}/receipt`)).status).toBe(200)

  expect((await ines.post(`/api/bookings/${second.body.id}/cancel`)).status).toBe(200)
  await eventually(
    'the refund',
    async () => (await ledger<StripeLedger>(system.stripe)).intents.filter(({ refunded }) => refunded > 0).length === 1,
  )
  const subjects = () => mails().then((all) => all.map(({ subject }) => subject.split(':')[0]))
  await eventually('the mail', async () => (await subjects()).includes('Booking cancelled'))
  expect((await subjects()).filter((subject) => subject === 'Booking confirmed')).toHaveLength(3)
  await expect.poll(() => run(reconcileCommand), { timeout: 20_000 }).toEqual([expect.stringContaining(' 0 differences')])
})

test('what is paid and not ordered is refused, and stays on the list', { timeout: 60_000 }, async () => {
  const guest = await new Visitor(system.url).known()
  const booked = await guest.book(await guest.offer(search(53), (one) => one.conditions.refundable && one.owner.iata_code === 'ZZ'), {
    cardDetails: testCard,
  })
  const [booking] = await documents<{ _id: string; orderId: string }>('bookings').then((all) =>
    all.filter(({ _id }) => _id === booked.body.id),
  )
  const headers = { 'content-type': 'application/json', authorization: 'Bearer duffel_test_simulator', 'duffel-version': 'v2' }
  const body = JSON.stringify({ data: { order_id: booking?.orderId } })
  const quoted = await (await fetch(`${system.duffel}/air/order_cancellations`, { method: 'POST', headers, body })).json()
  await fetch(`${system.duffel}/air/order_cancellations/${(quoted as { data: { id: string } }).data.id}/actions/confirm`, {
    method: 'POST',
    headers,
  })
  const mongo = await connectMongo(servers.environment.MONGO_URL, `${servers.environment.NAMESPACE}booking`, createLog('test', 'silent'))
  await mongo.collection('bookings').deleteOne({ _id: booked.body.id as never })
  await mongo.close()
  const lines = await run(rebuildCommand, '--apply')
  expect(lines).toContain('0 rebuilt, 1 refused')
  expect(lines.find((line) => line.startsWith('refused'))).toContain('paid, and no lost order names it')
  expect(kinds(lines)).toContain('payment-without-booking')
})
