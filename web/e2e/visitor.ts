/** A visitor who calls the API as the site's own pages do, where what the pages show is not the question. */
import type { Browser, BrowserContext, Page } from 'playwright/test'
import { ownDay } from './traveller.ts'

export type Answer = { status: number; body: Record<string, unknown> & { error?: string; id?: string; paymentId?: string } }
export type Offer = { id: string; price: { total: string; currency: string }; passengers: { id: string; type: string }[] }

/** A browser of its own, on a page of the site. */
export async function visitor(browser: Browser): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto('/terms-of-nothing')
  return { page, context }
}

/** A call as the site's own pages make it, with this browser's cookies. */
export function call(page: Page, method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
  return page.evaluate(
    async ({ method, path, body, key }) => {
      const response = await fetch(path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(key && { 'idempotency-key': key }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    },
    { method, path, body, key },
  )
}

export async function offerOf(page: Page, origin = 'CDG', destination = 'LIS', filters = ''): Promise<Offer> {
  const list = await call(
    page,
    'GET',
    `/api/flights/search?origin=${origin}&destination=${destination}&departureDate=${ownDay()}${filters}`,
  )
  const [first] = list.body.offers as { id: string }[]
  return (await call(page, 'GET', `/api/flights/offer/${first?.id}`)).body as unknown as Offer
}

const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '34', cvv: '123', holderName: 'Ines Moreau' }

function passengersOf(offer: Offer, email: string): object[] {
  return offer.passengers.map(({ id, type }) => ({
    ...{ id, type, title: 'ms', gender: 'female', firstName: 'Ines', lastName: 'Moreau', dateOfBirth: '1988-06-15' },
    ...{ email, phone: '+33123456789', passportNumber: '19KL56147', passportExpiryDate: '2034-04-25', passportIssuingCountry: 'FR' },
  }))
}

/** `query`: of the address, e.g. the brand. */
export const pay = (page: Page, { id, price }: Offer, query = '', number = card.number) =>
  call(
    page,
    'POST',
    `/api/payments/process-card${query}`,
    { amount: price.total, currency: price.currency, cardDetails: { ...card, number }, offerId: id },
    crypto.randomUUID(),
  )

export const bookingOf = (offer: Offer, email: string, payment: object) => ({
  offerId: offer.id,
  passengers: passengersOf(offer, email),
  paymentDetails: { amount: offer.price.total, currency: offer.price.currency, ...payment },
})
