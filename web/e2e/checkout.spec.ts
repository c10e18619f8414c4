/** Payments that are left, interrupted or not answered: one order and one charge, or none, and the visitor is told which. */
import { type APIRequestContext, expect, type Page, test } from 'playwright/test'
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

test.skip(!outsideWorld, 'the ledgers cannot be reached')

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
async function watch(page: Page, request: APIRequestContext, to: string): Promise<() => Promise<Ledger>> {
  const price = await cents(page)
  const before = await ledger(request, to, price)
  return async () => {
    const now = await ledger(request, to, price)
    return { orders: now.orders - before.orders, captured: now.captured - before.captured, held: now.held - before.held }
  }
}

const ONCE: Ledger = { orders: 1, captured: 1, held: 0 }

/** On a flight of its own, at the card form. */
async function toPayment(page: Page, to: string): Promise<Person> {
  const person = someone()
  await openOfferLike(page, resultsAddress('CDG', to, ownDay()), () => true)
  await enterPassengers(page, [person])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  return person
}

const BOOKINGS = '**/api/bookings'
const CARD = '**/api/payments/process-card'
const confirmed = (page: Page) => page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })

test('R-26: going back from a payment that was not answered and paying again holds, orders and charges once', async ({ page, request }) => {
  await toPayment(page, 'OPO')
  const since = await watch(page, request, 'OPO')
  const keys: (string | undefined)[] = []
  await page.route(CARD, async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    // The server has done it; the answer is lost on the way.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await payButton(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Payment Failed' })).toBeVisible()
  await page.unroute(CARD)
  await page.getByRole('button', { name: 'Back to Seat Selection' }).click()
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  page.on('request', (sent) => {
    if (sent.url().endsWith('/process-card')) keys.push(sent.headers()['idempotency-key'])
  })
  await enterCard(page)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(await since()).toEqual(ONCE)
})

test('Back during a payment stays on the page, and leaving by link or a jump of the history asks first', async ({ page, request }) => {
  await toPayment(page, 'BCN')
  const since = await watch(page, request, 'BCN')
  const answer = Promise.withResolvers<void>()
  await page.route(BOOKINGS, async (route) => {
    const response = await route.fetch()
    await answer.promise
    await route.fulfill({ response })
  })
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Paying...' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Your payment is still running').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment' })).toBeVisible()
  for (const leave of [() => page.getByRole('link', { name: 'About' }).first().click(), () => page.evaluate('history.go(-3)')]) {
    await leave()
    await expect(page.getByRole('alertdialog')).toContainText('Your payment is still running')
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
  await expect(page).toHaveURL(/\/booking\?/)
  answer.resolve()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
})

test('a jump of the history out of a running payment: the page that comes tells the reference, and paying once more books nothing', async ({
  page,
  request,
}) => {
  const person = await toPayment(page, 'ATH')
  const since = await watch(page, request, 'ATH')
  const offer = new URL(page.url()).search
  await page.route(BOOKINGS, async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.fulfill({ response })
  })
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Paying...' })).toBeVisible()
  await page.evaluate('history.go(-3)')
  await page.getByRole('button', { name: 'Leave this page' }).click()
  await expect(page).toHaveURL(/\/flight\//)
  const notice = page.getByRole('status').filter({ hasText: 'Your booking went through' })
  await expect(notice).toBeVisible({ timeout: 30_000 })
  const reference = /[0-9A-HJKMNP-TV-Z]{8}/.exec(await notice.innerText())?.[0] ?? ''

  await page.unroute(BOOKINGS)
  await page.goto(`/booking${offer}`)
  await enterPassengers(page, [person])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  await expect(page.getByRole('main').getByText(reference).first()).toBeVisible()
  expect(await since()).toEqual(ONCE)
})

test('a booking call that was not answered is found by itself, without a second order', async ({ page, request }) => {
  await toPayment(page, 'DUB')
  const since = await watch(page, request, 'DUB')
  await page.route(BOOKINGS, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await payButton(page).click()
  await expect(page.getByText('We do not know yet whether your booking went through.').or(confirmed(page)).first()).toBeVisible({
    timeout: 20_000,
  })
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
})

test('a reload in mid-payment: the next page says that it booked, with the reference and a link, and My Trips says so too', async ({
  page,
  request,
}) => {
  await toPayment(page, 'CPH')
  const since = await watch(page, request, 'CPH')
  const done = Promise.withResolvers<void>()
  await page.route(BOOKINGS, async (route) => {
    await route.fetch()
    done.resolve()
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await payButton(page).click()
  await done.promise
  await page.reload()
  const notice = page.getByRole('status').filter({ hasText: 'Your booking went through' })
  await expect(notice).toBeVisible({ timeout: 30_000 })
  const reference = /[0-9A-HJKMNP-TV-Z]{8}/.exec(await notice.innerText())?.[0] ?? ''
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/Moreau|@example|4242/)
  await page.goto('/my-trips')
  await expect(notice).toContainText(reference)
  await page.getByRole('link', { name: 'See your booking' }).click()
  await expect(confirmed(page)).toBeVisible()
  await expect(page.getByRole('main').getByText(reference).first()).toBeVisible()
  await expect(notice).toHaveCount(0)
  expect(await since()).toEqual(ONCE)
})

test('a reload while the airline has not answered: still being confirmed, then booked', async ({ page, request }) => {
  await toPayment(page, 'PRG')
  await outsideWorld?.happen(request, { case: 'order-timeout-after-commit', route: 'CDG-PRG', appearsAfterSeconds: 3, times: 1 })
  const asked = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/api/bookings'))
  page.on('dialog', (dialog) => void dialog.accept())
  await payButton(page).click()
  await asked
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'is still being confirmed' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('status').filter({ hasText: 'Your booking went through' })).toBeVisible({ timeout: 60_000 })
})

test('a reload before the booking was sent: not booked and not charged', async ({ page, request }) => {
  await toPayment(page, 'BUD')
  const since = await watch(page, request, 'BUD')
  const held = Promise.withResolvers<void>()
  await page.route(CARD, async (route) => {
    await route.fetch()
    held.resolve()
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await payButton(page).click()
  await held.promise
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'We are finding out what came of your payment' })).toBeVisible()
  // A minute later, as this browser's clock has it.
  await page.clock.setSystemTime(Date.now() + 65_000)
  await page.reload()
  const notice = page.getByRole('status').filter({ hasText: 'Your last payment did not lead to a booking' })
  await expect(notice).toContainText('Your card was not charged', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  expect(await since()).toMatchObject({ orders: 0, captured: 0 })
})

test('PAY-13: a decline stays above the card number until the next attempt, also after a look at the seats', async ({ page }) => {
  await toPayment(page, 'WAW')
  await enterCard(page, '4000000000000002')
  await payButton(page).click()
  const alert = page.getByRole('form', { name: 'Card details' }).getByRole('alert')
  await expect(alert).toContainText('Your bank declined the card ending 0002. Nothing was charged; try another card.')
  await page.getByRole('button', { name: 'Back to Seat Selection' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Seat Selection' })).toBeVisible()
  // The toast was about the step before.
  await expect(page.getByText('Card Payment Failed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await expect(alert).toBeVisible()
  await enterCard(page)
  await payButton(page).click()
  await expect(alert).toHaveCount(0)
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
})

test('R-26: the same passengers from another browser are told that they are booked, with a link, and nothing is charged', async ({
  browser,
  page,
  request,
}) => {
  const ines = await toPayment(page, 'OSL')
  const address = page.url()
  const since = await watch(page, request, 'OSL')
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  const again = await (await browser.newContext()).newPage()
  await again.goto(address)
  await enterPassengers(again, [ines])
  await again.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(again)
  await payButton(again).click()
  const alert = again.getByRole('alert').filter({ hasText: 'These passengers are already booked on this flight' })
  await expect(alert).toContainText('Nothing was charged', { timeout: 30_000 })
  await expect(alert.getByRole('link', { name: /See the first booking/ })).toHaveAttribute('href', /\/my-trips\?booking=bk_/)
  expect(await since()).toMatchObject({ orders: 1, captured: 1 })

  const id = new URL((await alert.getByRole('link').getAttribute('href')) ?? '', address).searchParams.get('booking')
  await page.goto(`/my-trips?booking=${id}`)
  await expect(page.getByRole('dialog')).toContainText('Paris to')
})

test('too many declined cards: the visitor is told from when one can try again', async ({ page }) => {
  await toPayment(page, 'HEL')
  await page.route(CARD, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '1680' },
      json: {
        error: 'CARD_ATTEMPTS_STOPPED',
        message: 'Too many declined cards. Please try again in 28 minutes, or contact us.',
        requestId: 'r',
      },
    }),
  )
  await payButton(page).click()
  await expect(page.getByRole('form', { name: 'Card details' }).getByRole('alert')).toContainText(
    /Too many declined cards\. Nothing was charged\. You can try again at \d\d:\d\d\./,
  )
})

test('a seat that is lost at the order is named with its traveller, back at the seats', async ({ page, request }) => {
  await openOfferLike(
    page,
    resultsAddress('CDG', 'ARN', ownDay()),
    (offer) => offer.owner.iata_code === 'ZZ' && offer.slices[0]?.segments.length === 1,
  )
  await enterPassengers(page, [someone()])
  const free = page.getByRole('grid').getByRole('button').and(page.locator(':not([aria-disabled="true"])'))
  const seat = /^(\d+[A-Z])/.exec((await free.first().getAttribute('aria-label')) ?? '')?.[1] ?? ''
  await free.first().click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await enterCard(page)
  const since = await watch(page, request, 'ARN')
  const offer = new URL(page.url()).searchParams.get('offer') ?? ''
  await outsideWorld?.happen(request, { case: 'seat-taken', offerId: offer.replace('oft_', 'off_'), designator: seat, times: 1 })
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Seat Selection' })).toBeVisible({ timeout: 40_000 })
  await expect(page.getByRole('alert').filter({ hasText: `Seat ${seat} for Inès Moreau` })).toContainText('has just been taken')
  expect(await since()).toMatchObject({ orders: 0, captured: 0 })
})
