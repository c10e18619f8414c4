/** A traveller at the card form, and what the airline and the card provider then have of the flight. */
import type { APIRequestContext, Page } from 'playwright/test'
import {
  enterCard,
  enterPassengers,
  openOfferLike,
  outsideWorld,
  ownDay,
  type Person,
  payButton,
  resultsAddress,
  someone,
} from './traveller.ts'

type Ledger = { orders: number; captured: number; held: number }

/** What the airline and the card provider have of one flight: every test has a route of its own, and its price tells its holds. */
async function ledger(request: APIRequestContext, to: string, price: number): Promise<Ledger> {
  const intents = ((await outsideWorld?.intents(request)) ?? []).filter(({ amount }) => amount === price)
  return {
    orders: ((await outsideWorld?.orders(request)) ?? []).filter(({ route }) => route.startsWith(`CDG-${to}`)).length,
    captured: intents.filter(({ captured }) => captured > 0).length,
    held: intents.filter(({ status }) => status === 'requires_capture').length,
  }
}

const cents = async (page: Page) => Number((await payButton(page).innerText()).replace(/[^\d]/g, '')) * 100

/** What has come to be of this flight since now. */
export async function watch(page: Page, request: APIRequestContext, to: string): Promise<() => Promise<Ledger>> {
  const price = await cents(page)
  const before = await ledger(request, to, price)
  return async () => {
    const now = await ledger(request, to, price)
    return { orders: now.orders - before.orders, captured: now.captured - before.captured, held: now.held - before.held }
  }
}

export const ONCE: Ledger = { orders: 1, captured: 1, held: 0 }

/** On a flight of its own, at the card form. */
export async function toPayment(page: Page, to: string, fits: Parameters<typeof openOfferLike>[2] = () => true): Promise<Person> {
  const person = someone()
  await openOfferLike(page, resultsAddress('CDG', to, ownDay()), fits)
  await enterPassengers(page, [person])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  return person
}

export const BOOKINGS = '**/api/bookings'
export const CARD = '**/api/payments/process-card'
export const confirmed = (page: Page) => page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })
