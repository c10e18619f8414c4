/** What a traveller gets back when the airline gives back something else than money in the currency of the charge. */
import type { Booking, BookingCancelled } from '@passerelle/contracts/http/booking'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  control,
  eventually,
  type LocalSystem,
  ledger,
  localSystem,
  type Mailbox,
  type StripeLedger,
  testCard,
  Visitor,
} from './test-visitor.fixture.ts'

let system: LocalSystem
beforeAll(async () => {
  system = await localSystem()
})
afterAll(async () => {
  await system.stop()
})

let ahead = 40
/** Books a refundable fare on the route and cancels it. */
async function bookAndCancel(origin: string, destination: string) {
  const date = new Date(Date.now() + ++ahead * 86_400_000).toISOString().slice(0, 10)
  const ines = await new Visitor(system.url).known()
  const search = `origin=${origin}&destination=${destination}&departureDate=${date}`
  const offer = await ines.offer(search, (one) => one.conditions.refundable && one.owner.iata_code === 'ZZ')
  const booked = await ines.book(offer, { cardDetails: testCard })
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })
  const intent = (await ledger<StripeLedger>(system.stripe)).intents.at(-1)
  const cancelled = await ines.post<BookingCancelled>(`/api/bookings/${booked.body.id}/cancel`)
  const trip = (await ines.get<Booking>(`/api/bookings/${booked.body.id}`)).body
  const mail = await eventually('the mail', async () =>
    (await ledger<Mailbox>(system.mailbox)).messages.find(
      ({ subject }) => subject.startsWith('Booking cancelled') && subject.includes(booked.body.bookingReference),
    ),
  )
  const refunded = async () => (await ledger<StripeLedger>(system.stripe)).intents.find(({ id }) => id === intent?.id)?.refunded
  return { booked: booked.body, cancelled, trip, mail, refunded }
}

test('airline credits stay with the airline: the traveller is told how much, and the card gets nothing', async () => {
  const { cancelled, trip, mail, refunded } = await bookAndCancel('LTN', 'SYD')
  const credit = trip.airlineCredit
  expect(credit).toEqual({ amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'GBP' })
  expect(cancelled).toMatchObject({
    status: 200,
    body: { success: true, status: 'cancelled', refund: null, refundKind: 'credit', airlineCredit: credit },
  })
  expect(trip).toMatchObject({ status: 'cancelled', refund: null, refundKind: 'credit' })
  const shown = `£${Number(credit?.amount).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
  for (const text of [String(cancelled.body.message), mail.text])
    expect(text).toContain(`The airline holds ${shown.replace(/\.00$/, '')} for you as credit`)
  expect(await refunded()).toBe(0)
})

test.each([
  ['another currency', { refundCurrency: 'USD' }],
  ['a figure that no card can be paid', { refundAmount: '12.345' }],
  ['nothing that can be read', { refundAmount: 'ask us', refundTo: 'somewhere' }],
])('%s is an operator’s matter: the booking ends cancelled, and the traveller is told', async (_what, figures) => {
  await control(system.duffel, 'cases', { case: 'refund-figures', route: 'CDG-LIS', ...figures })
  const { cancelled, trip, mail, refunded } = await bookAndCancel('CDG', 'LIS')
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled', refund: null, refundKind: 'operator', airlineCredit: null } })
  expect(trip).toMatchObject({ status: 'cancelled', refund: null, refundKind: 'operator' })
  for (const text of [String(cancelled.body.message), mail.text]) expect(text).toContain('Your refund is being arranged by our team.')
  expect(await refunded()).toBe(0)
})
