/** Somebody who looks after one brand, at the screens of administration: what is theirs, and nothing else. */
import { type Browser, expect, type Page, request as requests, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { adminPassword } from './administrator.ts'
import { type Account, logIn, outsideWorld, registered, someone } from './traveller.ts'
import { bookingOf, call, offerOf, pay, visitor } from './visitor.ts'

test.skip(() => adminPassword() === null || outsideWorld === null, 'nobody can be made staff, or the mailbox cannot be read')

const OWN = 'atlas.example'
const OTHER = 'aurora.example'

type Left = { id: string; reference: string; subject: string }

/** What a visitor of a brand leaves behind: a booking and a message. */
async function visited(browser: Browser, brand: string): Promise<Left> {
  const { page, context } = await visitor(browser)
  await page.goto(`/terms-of-nothing?brand=${brand}`)
  const { email } = someone()
  const on = `?brand=${brand}`
  const offer = await offerOf(page, 'CDG', 'VIE', `&brand=${brand}`)
  const { paymentId } = (await pay(page, offer, on)).body
  const booked = await call(page, 'POST', `/api/bookings${on}`, bookingOf(offer, email, { paymentId }), crypto.randomUUID())
  expect([booked.status, booked.body.brand], JSON.stringify(booked.body)).toEqual([201, brand])
  const subject = `Bags of ${booked.body.bookingReference}`
  const sent = await call(page, 'POST', `/api/support${on}`, { fullName: 'Ada Moreau', email, subject, message: 'May I?' })
  expect(sent.status).toBe(201)
  await context.close()
  return { id: String(booked.body.id), reference: String(booked.body.bookingReference), subject }
}

/** Made staff of one brand. Its address was never proved, so the password comes by mail. */
async function becomesStaff(page: Page, account: Account, baseURL: string): Promise<void> {
  const admin = await requests.newContext({ baseURL })
  await admin.post('/api/auth/login', { data: { username: 'admin', password: adminPassword() } })
  await admin.post('/api/admin/login', { data: { password: adminPassword() } })
  const granted = await admin.put('/api/admin/staff', { data: { email: account.email, brands: [OWN] } })
  expect(granted.status(), await granted.text()).toBe(200)
  const links = async () => {
    const mails = (await outsideWorld?.mails(admin, account.email)) ?? []
    return mails.flatMap(({ text }) => /set-password#([\w-]+)/.exec(text)?.[1] ?? [])
  }
  await expect.poll(async () => (await links()).length).toBeGreaterThan(0)
  const chosen = await page.request.post('/api/auth/set-password', {
    data: { token: (await links()).at(-1), newPassword: account.password },
  })
  expect(chosen.status(), await chosen.text()).toBe(200)
  await admin.dispose()
}

test('journey: staff of one brand see its bookings, messages and audit, and what is another brand’s is not there', async ({
  page,
  browser,
  baseURL,
}) => {
  const own = await visited(browser, OWN)
  const other = await visited(browser, OTHER)
  const account = await registered(page)
  await becomesStaff(page, account, String(baseURL))
  await page.goto('/login?redirect=%2Fadmin%2Fbookings')
  await logIn(page, account)
  await expect(page).toHaveURL('/admin/bookings')

  await test.step('the list has the bookings of the brand alone, also when another is searched for', async () => {
    const table = page.getByRole('table')
    await expect(table.getByRole('link', { name: own.reference })).toBeVisible()
    await expect(page.getByText(other.reference)).toHaveCount(0)
    await expect(page.getByLabel('Brand', { exact: true }).getByRole('option')).toHaveCount(2)
    await expectAccessible(page, 'bookings of one brand')
    await page.goto(`/admin/bookings?q=${other.reference}`)
    await expect(page.getByText('No bookings here.')).toBeVisible()
    await page.goto(`/admin/bookings?brand=${OTHER}`)
    await expect(page.getByText('No bookings here.')).toBeVisible()
  })

  await test.step('one booking is opened, one of another brand cannot be', async () => {
    await page.goto(`/admin/bookings/${own.id}`)
    await expect(page.getByRole('heading', { level: 1, name: own.reference })).toBeVisible()
    const answer = page.waitForResponse(`**/api/admin/bookings/${other.id}`)
    await page.goto(`/admin/bookings/${other.id}`)
    expect((await answer).status()).toBe(404)
    await expect(page.getByText('This booking could not be loaded.')).toBeVisible()
    await expect(page.getByText(other.reference)).toHaveCount(0)
  })

  await test.step('messages are those of the brand', async () => {
    await page.goto('/admin/messages')
    await expect(page.getByText(own.subject).first()).toBeVisible()
    await expect(page.getByText(other.subject)).toHaveCount(0)
  })

  await test.step('brands and settings are those of the brand, and of the whole system there is nothing', async () => {
    await page.goto('/admin/brands')
    await expect(page.getByText(OWN).first()).toBeVisible()
    await expect(page.getByText(OTHER)).toHaveCount(0)
    await page.goto('/admin-settings')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Atlas Voyages').filter({ visible: true }).first()).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Live mode' })).toHaveCount(0)
    await expect(page.getByText(OTHER)).toHaveCount(0)
  })

  await test.step('every call for what is another brand’s, and for what is the whole system’s, is 404', async () => {
    for (const path of [
      `/api/admin/bookings/${other.id}`,
      `/api/admin/brands/${OTHER}`,
      '/api/admin/settings',
      '/api/admin/staff',
      '/api/admin/access',
    ])
      expect((await page.request.get(path)).status(), path).toBe(404)
  })
})
