/** Two people in browsers of their own: nothing of one opens anything of the other. */
import { expect, type Page, test } from 'playwright/test'
import { outsideWorld, someone } from './traveller.ts'
import { type Answer, bookingOf, call, offerOf, pay, visitor } from './visitor.ts'

async function captured(page: Page): Promise<number> {
  return ((await outsideWorld?.intents(page.request)) ?? []).filter((intent) => intent.captured > 0).length
}

test('another visitor’s hold pays for nobody else', async ({ browser }) => {
  const [ines, mallory] = [await visitor(browser), await visitor(browser)]
  const offer = await offerOf(ines.page)
  const held = await pay(ines.page, offer)
  expect(held.status).toBe(200)
  const before = await captured(ines.page)
  const { paymentId } = held.body
  const stolen = await call(mallory.page, 'POST', '/api/bookings', bookingOf(offer, someone().email, { paymentId }), 'mallory')
  expect(stolen).toMatchObject({ status: 422, body: { error: 'PAYMENT_UNKNOWN' } })
  expect(await captured(ines.page)).toBe(before)
  // The hold is still hers.
  const booked = await call(ines.page, 'POST', '/api/bookings', bookingOf(offer, someone().email, { paymentId }), 'ines')
  expect(booked.status).toBe(201)
})

test('the same idempotency key of two visitors makes two bookings, and answers neither with the other’s', async ({ browser }) => {
  const [ines, jean] = [await visitor(browser), await visitor(browser)]
  const offer = await offerOf(ines.page)
  const answers: Answer[] = []
  for (const { page } of [ines, jean]) {
    const { paymentId } = (await pay(page, offer)).body
    answers.push(await call(page, 'POST', '/api/bookings', bookingOf(offer, someone().email, { paymentId }), 'the-same-key'))
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[0]?.body.id).not.toBe(answers[1]?.body.id)
  expect((await call(jean.page, 'GET', `/api/bookings/${answers[0]?.body.id}`)).status).toBe(404)
})

test('the same passengers on the same flight from two browsers: one order, one charge, and nothing told of the first', async ({
  browser,
}) => {
  const [ines, again] = [await visitor(browser), await visitor(browser)]
  const offer = await offerOf(ines.page)
  const { email } = someone()
  const before = await captured(ines.page)
  const first = await call(
    ines.page,
    'POST',
    '/api/bookings',
    bookingOf(offer, email, { paymentId: (await pay(ines.page, offer)).body.paymentId }),
  )
  expect(first.status).toBe(201)
  const second = await call(
    again.page,
    'POST',
    '/api/bookings',
    bookingOf(offer, email, { paymentId: (await pay(again.page, offer)).body.paymentId }),
  )
  expect(second).toMatchObject({ status: 409, body: { error: 'BOOKING_EXISTS', details: { bookingId: first.body.id } } })
  expect(JSON.stringify(second.body)).not.toMatch(/Moreau|@example/)
  expect(await captured(ines.page)).toBe(before + 1)
  expect((await call(again.page, 'GET', `/api/bookings/${first.body.id}`)).status).toBe(404)
})

test('an account with somebody else’s address sees that person’s booking only after the address was verified', async ({ browser }) => {
  test.skip(!outsideWorld, 'the mailbox cannot be reached')
  const [mallory, ines] = [await visitor(browser), await visitor(browser)]
  const { email } = someone()
  const username = email.split('@')[0] ?? ''
  const password = 'Blue-Suitcase-47-Runs'
  const account = { username, email, firstName: 'Ines', lastName: 'Moreau', password }
  expect((await call(mallory.page, 'POST', '/api/auth/register', account)).status).toBe(201)
  expect((await call(mallory.page, 'POST', '/api/auth/login', { username, password })).status).toBe(200)

  const offer = await offerOf(ines.page)
  const { paymentId } = (await pay(ines.page, offer)).body
  const booked = await call(ines.page, 'POST', '/api/bookings', bookingOf(offer, email, { paymentId }))
  expect(booked).toMatchObject({ status: 201, body: { accountCreated: false } })
  const waiting = async () => (await outsideWorld?.mails(ines.page.request, email))?.filter(({ subject }) => /booking/i.test(subject)) ?? []
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(1)

  await mallory.page.goto('/my-trips')
  await expect(mallory.page.getByRole('heading', { level: 1, name: 'My Trips' })).toBeVisible()
  await expect(mallory.page.getByText(String(booked.body.bookingReference))).toHaveCount(0)
  expect((await call(mallory.page, 'GET', `/api/bookings/${booked.body.id}`)).status).toBe(404)
  expect((await call(mallory.page, 'POST', `/api/bookings/${booked.body.id}/cancel`)).status).toBe(404)

  // Ines sets a password of her own with the link of the mail: the account is hers, and Mallory's session ends.
  const link = (await waiting()).map(({ text }) => /\/set-password#\S+/.exec(text)?.[0]).find(Boolean)
  expect(link).toBeTruthy()
  await ines.page.goto(link ?? '')
  await ines.page.getByLabel('New password', { exact: true }).fill('Green-Lantern-93-Walks')
  await ines.page.getByLabel(/^Confirm/).fill('Green-Lantern-93-Walks')
  await ines.page
    .getByRole('button', { name: /password/i })
    .last()
    .click()
  await expect.poll(async () => (await call(mallory.page, 'GET', '/api/auth/user')).status).toBe(401)
  expect((await call(ines.page, 'POST', '/api/auth/login', { username, password: 'Green-Lantern-93-Walks' })).status).toBe(200)
  await ines.page.goto('/my-trips')
  await expect(ines.page.getByText(String(booked.body.bookingReference))).toBeVisible()
})
