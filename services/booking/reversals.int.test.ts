/** Money that went back to the cardholder without this system: the booking keeps it, a person is told, and the traveller sees the refund. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toPublic } from './domain/booking.ts'
import { attentionWorker } from './office/attention-mail.ts'
import { openOffice } from './office/office.fixture.ts'
import { recordRefund, recordReversal } from './refund.ts'
import { openSagaWorld, type SagaWorld } from './saga.fixture.ts'

let world: SagaWorld
let office: Awaited<ReturnType<typeof openOffice>>
beforeAll(async () => {
  world = await openSagaWorld()
  office = await openOffice(world)
})
afterAll(() => world.stop())

const NOTHING = { refundedMinor: 0, dispute: null, disputedMinor: 0 }
type Told = Parameters<typeof recordReversal>[1]
const tell = async (id: string, told: Partial<Told>) =>
  recordReversal(id, { ...NOTHING, paymentId: (await world.byId(id)).paymentId, ...told }, world.worker().context)
const confirmed = () => world.book({}, { state: 'CONFIRMED', orderId: 'its own' })
const mails = async (id: string) => {
  await attentionWorker(world.store, office.mails).run(new AbortController().signal)
  return (await office.mails.ofSubject(id)).map(({ template }) => template)
}
const publicly = async (id: string) => toPublic(await world.byId(id), world.clock())

test('a refund made in the dashboard: the booking stands, staff is mailed once, and the traveller sees it as any other', async () => {
  const { _id } = await confirmed()
  for (let time = 0; time < 2; time++) await tell(_id, { refundedMinor: 2000 })
  expect(await world.byId(_id)).toMatchObject({ state: 'CONFIRMED', attention: { reason: 'refunded-elsewhere' } })
  expect([await mails(_id), await mails(_id)]).toEqual([['attention'], ['attention']])
  expect(await publicly(_id)).toMatchObject({
    status: 'confirmed',
    refund: { amount: '20.00', currency: 'EUR', refundedAt: world.clock().toISOString() },
  })
  const shown = (await office.administrator().read(_id)).body
  expect(shown).toMatchObject({
    state: 'attention',
    reversal: { refunded: { amount: '20.00', currency: 'EUR' }, dispute: null },
    actions: { retry: false, refund: null, settle: ['stands'] },
  })
  expect((await office.administrator().settle(_id, 'stands')).body).toMatchObject({ state: 'confirmed', attention: null })
  expect(await world.byId(_id)).toMatchObject({ state: 'CONFIRMED', attention: null, attentionSince: null, reversal: { seen: true } })
})

test('a dispute that opens and is lost is two cases, and one that is won ends its case', async () => {
  const [lost, won] = [await confirmed(), await confirmed()]
  for (const { _id } of [lost, won]) await tell(_id, { dispute: 'open', disputedMinor: 27_400 })
  expect((await world.byId(lost._id)).attention).toMatchObject({ reason: 'disputed' })
  expect((await office.administrator().settle(lost._id, 'stands')).status).toBe(200)
  world.advance(60)
  await tell(lost._id, { dispute: 'lost', disputedMinor: 27_400 })
  await tell(won._id, { dispute: 'won', disputedMinor: 27_400 })
  expect(await world.byId(lost._id)).toMatchObject({ state: 'CONFIRMED', attention: { reason: 'dispute-lost', told: false } })
  expect(await world.byId(won._id)).toMatchObject({ attention: null, attentionSince: null })
  expect((await publicly(won._id)).refund).toBeNull()
})

test('a case of the saga comes first; what went back is shown when that is over', async () => {
  const { _id } = await world.book(
    { cancel: ['away'] },
    { state: 'CANCEL_REQUESTED', orderId: 'its own', captured: { minor: 27_400, currency: 'EUR' } },
  )
  expect(await world.rest(_id)).toMatchObject({ attention: { reason: 'cancel-unanswered' } })
  await tell(_id, { dispute: 'open', disputedMinor: 27_400 })
  expect(await world.byId(_id)).toMatchObject({ state: 'NEEDS_ATTENTION', attention: { reason: 'cancel-unanswered' } })
  expect((await office.administrator().settle(_id, 'stands')).body).toMatchObject({ state: 'attention', attention: { reason: 'disputed' } })
})

test('what was refunded by hand and by a cancellation is one refund, never more than was paid', async () => {
  const cancelled = await world.book(
    {},
    {
      state: 'ORDER_CANCELLED',
      orderId: 'its own',
      orderCancelledAt: world.clock(),
      cancelledAt: world.clock(),
      refund: { kind: 'card', minor: 18_250, credit: null, refundedAt: null },
    },
  )
  await tell(cancelled._id, { refundedMinor: 20_000 })
  expect((await publicly(cancelled._id)).refund).toMatchObject({ amount: '274.00', refundedAt: null })
  await recordRefund(cancelled._id, world.worker().context)
  expect((await publicly(cancelled._id)).refund).toMatchObject({ amount: '274.00', refundedAt: world.clock().toISOString() })
})

test('another payment’s event is not this booking’s', async () => {
  const { _id, version } = await confirmed()
  await tell(_id, { paymentId: 'pay_of_another', refundedMinor: 1 })
  expect((await world.byId(_id)).version).toBe(version)
})
