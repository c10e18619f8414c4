/** The back office: bookings found, one opened, and what is done with one that needs a person. */
import { readFileSync } from 'node:fs'
import { type Browser, expect, type Page, test } from 'playwright/test'
import { officeBooking, officePage, waitingPage } from '../src/features/admin/bookings/office.fixture.ts'
import { expectAccessible } from './accessible.ts'
import { adminPassword, signInAsAdmin } from './administrator.ts'
import { outsideWorld, someone } from './traveller.ts'
import { bookingOf, call, offerOf, pay, visitor } from './visitor.ts'

test.skip(() => adminPassword() === null, 'the administrator’s password is not known')

/** A booking that the airline cancelled for money of another currency: what goes to the card is a person's decision. */
async function withOpenRefund(browser: Browser): Promise<{ reference: string; email: string; id: string }> {
  const { page, context } = await visitor(browser)
  const { email } = someone()
  const offer = await offerOf(page, 'CDG', 'MAD', '&refundable=yes')
  const { paymentId } = (await pay(page, offer)).body
  const booked = await call(page, 'POST', '/api/bookings', bookingOf(offer, email, { paymentId }), crypto.randomUUID())
  expect(booked.status).toBe(201)
  await outsideWorld?.happen(page.request, {
    case: 'refund-figures',
    route: 'CDG-MAD',
    refundAmount: '20.00',
    refundCurrency: 'SEK',
    times: 1,
  })
  const cancelled = await call(page, 'POST', `/api/bookings/${booked.body.id}/cancel`)
  expect(cancelled.body).toMatchObject({ status: 'cancelled', refundKind: 'operator' })
  await context.close()
  return { reference: String(booked.body.bookingReference), email, id: String(booked.body.id) }
}

async function openCase(page: Page, { reference, email }: { reference: string; email: string }): Promise<void> {
  await signInAsAdmin(page, '/admin/bookings')
  await page.getByLabel('Reference or e-mail').fill(email.toUpperCase())
  await page.getByRole('button', { name: 'Find bookings' }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('table').getByRole('link', { name: reference }).click()
  await expect(page.getByRole('heading', { level: 1, name: reference })).toBeVisible()
}

test.describe('with the airline', () => {
  test.skip(() => outsideWorld === null, 'the airline’s simulator cannot be asked')
  test.describe.configure({ mode: 'serial' })

  test('a refund that is left open is found by e-mail, refunded to the card with a reason, and recorded', async ({ page, browser }) => {
    const open = await withOpenRefund(browser)
    await openCase(page, open)
    await expect(page.getByRole('heading', { name: 'Cancelled, and the refund is open' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel and refund...' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Refund to the card').fill('10.50')
    await dialog.getByRole('button', { name: /Cancel and refund .*10\.50/ }).click()
    await expect(dialog.getByText('Please say how the airline confirmed it.')).toBeVisible()
    await dialog.getByLabel('How did the airline confirm it?').fill('The desk, by phone. Case 4471.')
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: /Cancel and refund/ }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('“The desk, by phone. Case 4471.”')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Cancelled, and the refund is open' })).toBeHidden()
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('region', { name: 'Money' }).getByText(/10\.50/)).toBeVisible({ timeout: 2000 })
    }).toPass()
    await page.goto('/admin-settings')
    await expect(page.getByRole('heading', { name: `Booking ${open.reference} cancelled and refunded` })).toBeVisible()
    const staff = await outsideWorld?.mails(page.request, 'hello@passerelle.example')
    const about = (staff ?? []).filter(({ text }) => text.includes(open.reference) && text.includes(`/admin/bookings/${open.id}`))
    expect(about).toHaveLength(1)
    expect(about[0]?.text).not.toContain('Moreau')
  })

  test('one that was settled elsewhere leaves the list with a reason', async ({ page, browser }) => {
    const open = await withOpenRefund(browser)
    await openCase(page, open)
    await page.getByRole('button', { name: 'Mark as settled...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark as settled?' })
    await dialog.getByRole('button', { name: 'Mark as settled' }).click()
    await expect(dialog.getByText('Please say why: whoever reads this next year was not there.')).toBeVisible()
    await dialog.getByLabel('Reason').fill('Paid out by bank transfer.')
    await dialog.getByRole('button', { name: 'Mark as settled' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('“Paid out by bank transfer.”')).toBeVisible()
    await page.goto(`/admin/bookings?state=attention&q=${open.reference}`)
    await expect(page.getByText('No bookings here.')).toBeVisible()
  })
})

test('the list that is on the screen is downloaded as a table, and that is recorded', async ({ page, browser }) => {
  const { page: other, context } = await visitor(browser)
  const { email } = someone()
  const offer = await offerOf(other, 'CDG', 'OPO')
  const { paymentId } = (await pay(other, offer)).body
  const booked = await call(other, 'POST', '/api/bookings', bookingOf(offer, email, { paymentId }), crypto.randomUUID())
  expect(booked.status).toBe(201)
  await context.close()
  await signInAsAdmin(page, `/admin/bookings?q=${booked.body.bookingReference}`)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download this list (CSV)' }).click()])
  expect(file.suggestedFilename()).toMatch(/^bookings-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`${booked.body.bookingReference},confirmed,,default,`)
  await page
    .getByRole('table')
    .getByRole('link', { name: String(booked.body.bookingReference) })
    .click()
  await expect(page.getByText('Ticket numbers')).toBeVisible()
  await expect(page.getByText(/^\d{13}$/)).toBeVisible()
  await page.goto('/admin-settings')
  await expect(page.getByRole('heading', { name: 'List of bookings downloaded' }).first()).toBeVisible()
})

for (const width of [390, 1280]) {
  test(`its screens have no accessibility violation and do not scroll sideways at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.route('**/api/admin/bookings?*', (route) =>
      route.fulfill({ json: route.request().url().includes('state=attention') ? waitingPage : officePage }),
    )
    await page.route('**/api/admin/bookings/bk_1', (route) => route.fulfill({ json: officeBooking }))
    await signInAsAdmin(page, '/admin/bookings')
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    await expectAccessible(page, 'list')
    await page.goto('/admin/bookings/bk_1')
    await expect(page.getByRole('heading', { name: 'What happened' })).toBeVisible()
    await expectAccessible(page, 'booking')
    await page.getByRole('button', { name: 'Refund $1,688.60...' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectAccessible(page, 'refund dialog', '[role="alertdialog"]')
    await page.getByRole('button', { name: 'Keep the booking' }).click()
    await page.getByRole('button', { name: 'Mark as settled...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark as settled?' })
    await dialog.getByRole('button', { name: 'Mark as settled' }).click()
    await expectAccessible(page, 'settle dialog', '[role="dialog"]')
  })
}

test('others read "Access Denied" and are led home', async ({ page }) => {
  for (const path of ['/admin/bookings', '/admin/bookings/bk_1']) {
    await page.goto(path)
    await expect(page.getByText('Access Denied')).toBeVisible()
    await expect(page).toHaveURL('/')
  }
})
