/** Paying in live mode, against simulators of its own: the card provider's fields, and the bank's question, in a system switched to live. */
import { type APIRequestContext, expect, type FrameLocator, type Page, request as requests, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { adminPassword } from './administrator.ts'
import { confirmed } from './checkout.ts'
import { ports } from './playwright.config.ts'
import { enterCard, enterPassengers, openOfferLike, ownDay, payButton, resultsAddress, someone } from './traveller.ts'
import { offerOf, pay } from './visitor.ts'

test.skip(() => adminPassword() === null || Boolean(process.env.BASE_URL), 'the mode of a system that others use is left alone')
// The bank's questions that were left end by themselves, which the last test waits for.
test.describe.configure({ mode: 'default', timeout: 120_000 })

const PROVIDER = `http://127.0.0.1:${ports.liveStripe}`
const [GOOD, ASKS] = ['4242424242424242', '4000002760003184']

type Intent = { status: string; captured: number; capturable: number }
const ledgerOf = async <T>(port: number): Promise<T> => (await (await fetch(`http://127.0.0.1:${port}/_sim/ledger`)).json()) as T
const intents = async () => (await ledgerOf<{ intents: Intent[] }>(ports.liveStripe)).intents

/** What the airline and the card provider of live mode have got since now; those of test mode have got nothing. */
async function watch() {
  const figures = async () => {
    const all = await intents()
    return {
      orders: (await ledgerOf<{ orders: unknown[] }>(ports.liveDuffel)).orders.length,
      captured: all.filter(({ captured }) => captured > 0).length,
      held: all.filter(({ capturable }) => capturable > 0).length,
      inTest: (await ledgerOf<{ intents: unknown[] }>(ports.stripe)).intents.length,
    }
  }
  const before = await figures()
  return async () => {
    const now = await figures()
    return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - before[name as keyof typeof before]]))
  }
}
const ONCE = { orders: 1, captured: 1, held: 0, inTest: 0 }
const NOTHING = { orders: 0, captured: 0, held: 0, inTest: 0 }

let admin: APIRequestContext

async function switchTo(mode: 'live' | 'test'): Promise<void> {
  const changed = await admin.post('/api/admin/settings', { data: { enableLiveMode: mode === 'live' } })
  expect(changed.status(), await changed.text()).toBe(200)
  await expect.poll(async () => ((await (await admin.get('/api/system/mode')).json()) as { mode: string }).mode).toBe(mode)
  // A gateway asks for the mode every two seconds, and believes an older one for a second more.
  await new Promise((done) => setTimeout(done, 3500))
}

test.beforeAll(async ({ baseURL }) => {
  admin = await requests.newContext({ baseURL: String(baseURL) })
  await admin.post('/api/auth/login', { data: { username: 'admin', password: adminPassword() } })
  await admin.post('/api/admin/login', { data: { password: adminPassword() } })
  await switchTo('live')
})
test.afterAll(async () => {
  await switchTo('test')
  await admin.dispose()
})

const fields = (page: Page): FrameLocator => page.frameLocator('iframe[src^="/booking/card"]')
const card = (page: Page) => fields(page).frameLocator('iframe')

async function toSeats(page: Page): Promise<void> {
  await openOfferLike(page, resultsAddress('CDG', 'LIS', ownDay()), () => true)
  await enterPassengers(page, [someone()])
}

async function toPayment(page: Page): Promise<void> {
  await toSeats(page)
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment' })).toBeVisible()
}

async function typeCard(page: Page, number: string): Promise<void> {
  await card(page).getByLabel('Card number').fill(number)
  await card(page).getByLabel('Expiration date').fill('1249')
  await card(page).getByLabel('Security code').fill('123')
}

const question = (page: Page) => page.getByRole('heading', { name: 'Your bank asks you to confirm' })

async function toQuestion(page: Page): Promise<void> {
  await toPayment(page)
  await typeCard(page, ASKS)
  await payButton(page).click()
  await expect(question(page)).toBeVisible()
  await expect(page.getByText('One more step for the card ending 3184')).toBeVisible()
  await expect(card(page).last().getByRole('heading', { name: 'Confirm this payment' })).toBeVisible()
}

test('R-22, GEN-04: a card typed into the provider’s fields books once, and the provider hears of this visitor on the payment step alone', async ({
  page,
}) => {
  const since = await watch()
  const asked: string[] = []
  page.on('request', (sent) => void (sent.url().startsWith(PROVIDER) && asked.push(sent.url())))
  await page.goto('/')
  await toSeats(page)
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await expect(card(page).getByLabel('Card number')).toBeVisible()
  await expect(page.getByText(/4242/)).toHaveCount(0)
  await expectAccessible(page)
  await typeCard(page, GOOD)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
  const onPayment = asked.splice(0).length
  expect(onPayment).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'FAQ' }).first().click()
  await expect(page).toHaveURL('/faq')
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked).toEqual([])
})

test('R-22: no page but that of the card fields lets the provider in', async ({ page }) => {
  for (const path of ['/', '/search', '/booking', '/my-trips'])
    expect((await page.request.get(path)).headers()['content-security-policy'], path).not.toContain(PROVIDER)
  const { 'content-security-policy': policy, 'x-frame-options': framing } = (await page.request.get('/booking/card')).headers()
  expect(policy).toContain(`frame-src ${PROVIDER};`)
  expect(framing).toBe('SAMEORIGIN')
})

test('R-22: the bank asks, the customer agrees, and the booking goes on by itself, once', async ({ page }) => {
  const since = await watch()
  await toQuestion(page)
  expect(await since()).toEqual(NOTHING)
  await expectAccessible(page)
  await card(page).last().getByLabel('Code sent to your phone').fill('402318')
  await card(page).last().getByRole('button', { name: 'Confirm' }).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
})

test('R-22: the bank asks and the customer fails: nothing is held, and another card books once', async ({ page }) => {
  const since = await watch()
  await toQuestion(page)
  await card(page).last().getByRole('button', { name: 'This was not me' }).click()
  await expect(page.getByText('Card ending 3184: Your bank could not confirm that it is you. Nothing was charged')).toBeVisible()
  await expectAccessible(page)
  expect(await since()).toEqual(NOTHING)
  await typeCard(page, GOOD)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
})

test('R-22: another card in the middle of the bank’s question books once', async ({ page }) => {
  const since = await watch()
  await toQuestion(page)
  await page.getByRole('button', { name: 'Use another card' }).click()
  await expect(page.getByText('Nothing was charged. Your passengers and seats are kept.')).toBeVisible()
  await typeCard(page, GOOD)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
})

/** An attempt without a booking is over this long after it was sent; the browser's clock is put forward by it. */
const FINAL_AFTER_MS = 61_000

for (const [what, leave] of [
  ['a reload', (page: Page) => page.reload()],
  ['leaving for another page', (page: Page) => page.goto('/faq')],
] as const)
  test(`R-22: ${what} in the middle of the bank’s question ends with nothing booked or held, and says so`, async ({ page }) => {
    const since = await watch()
    await page.clock.install()
    await toQuestion(page)
    page.once('dialog', (dialog) => dialog.accept())
    await leave(page)
    await expect(page.getByText('We are finding out what came of your payment.')).toBeVisible()
    await page.clock.fastForward(FINAL_AFTER_MS)
    await expect(page.getByText('Your last payment did not lead to a booking. Nothing was booked.')).toBeVisible()
    expect(await since()).toEqual(NOTHING)
  })

test('PAY-23, R-22: a card number that comes by itself is refused, and neither provider hears of it', async ({ page }) => {
  const since = await watch()
  const made = (await intents()).length
  await page.goto('/terms-of-nothing')
  const offer = await offerOf(page)
  const { status, body } = await pay(page, offer, '', '4916338506082832')
  expect([status, body.error]).toEqual([422, 'RAW_CARD_REFUSED'])
  expect((await intents()).length).toBe(made)
  expect(await since()).toEqual(NOTHING)
})

test('R-22: where the provider’s script is blocked the visitor reads so, and pays after another try', async ({ page }) => {
  const since = await watch()
  await page.route(`${PROVIDER}/**`, (route) => route.abort('blockedbyclient'))
  await toPayment(page)
  const failed = page.getByRole('alert').filter({ hasText: 'The secure card form could not be loaded.' })
  await expect(failed).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Loading the secure card form...')).toBeVisible()
  await expect(failed).toBeVisible()
  await page.unroute(`${PROVIDER}/**`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await typeCard(page, GOOD)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  expect(await since()).toEqual(ONCE)
})

test('R-20, R-22: a card form of test mode is refused once the mode is live, says why, and gives way to the provider’s fields', async ({
  page,
}) => {
  await switchTo('test')
  try {
    await toPayment(page)
    await enterCard(page)
  } finally {
    await switchTo('live')
  }
  const since = await watch()
  const answer = page.waitForResponse('**/api/payments/process-card')
  await payButton(page).click()
  expect([(await answer).status(), ((await (await answer).json()) as { error: string }).error]).toEqual([402, 'CARD_DECLINED'])
  await expect(
    page.getByText('Card ending 4242: Test cards are declined, because this website takes real payments now.').first(),
  ).toBeVisible()
  await expect(page.getByText('Test mode: no real charge')).toHaveCount(0)
  expect(await since()).toEqual(NOTHING)
})

test('R-22: every question that was left is withdrawn, every order is paid once, and nothing is held', async () => {
  const open = async () => (await intents()).filter(({ status }) => status === 'requires_action').length
  await expect.poll(open, { timeout: 60_000 }).toBe(0)
  const all = await intents()
  const { orders } = await ledgerOf<{ orders: unknown[] }>(ports.liveDuffel)
  expect({
    captured: all.filter(({ captured }) => captured > 0).length,
    held: all.filter(({ capturable }) => capturable > 0).length,
  }).toEqual({ captured: orders.length, held: 0 })
})
