/** Payments that are left, interrupted or not answered: one order and one charge, or none, and the visitor is told which. */
import { expect, test } from 'playwright/test'
import { BOOKINGS, CARD, confirmed, ONCE, toPayment, watch } from './checkout.ts'
import { enterCard, enterPassengers, outsideWorld, payButton } from './traveller.ts'

test.skip(!outsideWorld, 'the ledgers cannot be reached')

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
  const left = Promise.withResolvers<void>()
  await page.route(BOOKINGS, async (route) => {
    const response = await route.fetch()
    await left.promise
    await route.fulfill({ response })
  })
  await payButton(page).click()
  await expect(page.getByRole('button', { name: 'Paying...' })).toBeVisible()
  await page.evaluate('history.go(-3)')
  await page.getByRole('button', { name: 'Leave this page' }).click()
  await expect(page).toHaveURL(/\/flight\//)
  left.resolve()
  const notice = page.getByRole('status').filter({ hasText: 'Your booking went through' })
  await expect(notice).toBeVisible({ timeout: 30_000 })
  const reference = /[0-9A-HJKMNP-TV-Z]{8}/.exec(await notice.innerText())?.[0] ?? ''

  await page.unrouteAll({ behavior: 'wait' })
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
