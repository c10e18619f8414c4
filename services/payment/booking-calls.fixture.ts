/** For tests of what bookings do with payments: payments in the states that a booking leads them through. */
import { expect, vi } from 'vitest'
import { card, newKey, type PaymentFixture } from './payment.fixture.ts'

export const charge = { amount: '274.00', currency: 'EUR' }
let bookings = 0
export const newBooking = () => `bk_${++bookings}_${newKey()}`

/** `payments` is asked when it is there: tests start it before they run. */
export function bookingCalls(payments: () => PaymentFixture) {
  async function authorised(): Promise<string> {
    const { status, body } = await payments().authorise({ key: newKey(), charge, offerId: 'off_paris', cardDetails: card() })
    expect([status, body.state]).toEqual([200, 'authorised'])
    return body.id
  }
  async function claimed(): Promise<{ id: string; bookingId: string }> {
    const [id, bookingId] = [await authorised(), newBooking()]
    expect((await payments().claim(id, bookingId)).status).toBe(200)
    return { id, bookingId }
  }
  async function captured() {
    const payment = await claimed()
    expect((await payments().capture(payment.id)).body.state).toBe('captured')
    return payment
  }
  return {
    authorised,
    claimed,
    captured,
    becomes: (id: string, state: object) => vi.waitFor(async () => expect((await payments().read(id)).body).toMatchObject(state), 10_000),
    intentOf: async (id: string) => (await payments().simulator.intentsOf(id))[0]!,
  }
}
