/** What belongs to an account, and to those who administer the site. */
import { expect } from 'playwright/test'
import { officeBooking, officePage, waitingPage } from '../../src/features/admin/bookings/office.fixture.ts'
import { signInAsAdmin } from '../administrator.ts'
import { logIn, registered } from '../traveller.ts'
import { take, test } from './camera.ts'

test('an account', async ({ page }) => {
  const account = await registered(page)
  await page.goto('/login?redirect=/account-settings')
  await logIn(page, { ...account, password: 'not this one' })
  await expect(page.getByRole('alert')).toBeVisible()
  await take(page, 'sign-in-refused')
  await logIn(page, account)
  await expect(page.getByText('This device')).toBeVisible()
  await take(page, 'account')
  await page.goto('/account-settings?tab=profile')
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeVisible()
  await take(page, 'account-profile')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await take(page, 'account-delete', false)
  await page.goto('/my-trips')
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await take(page, 'trips-empty')
  await page.goto('/forgot-password')
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(account.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Look at your e-mail' })).toBeVisible()
  await take(page, 'forgot-password-sent')
})

test('the back office', async ({ page }) => {
  await page.route('**/api/admin/bookings?*', (route) =>
    route.fulfill({ json: route.request().url().includes('state=attention') ? waitingPage : officePage }),
  )
  await page.route('**/api/admin/bookings/bk_1', (route) => route.fulfill({ json: officeBooking }))
  await signInAsAdmin(page, '/admin/bookings')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await take(page, 'admin-bookings')
  await page.goto('/admin/bookings/bk_1')
  await expect(page.getByRole('heading', { name: 'What happened' })).toBeVisible()
  await take(page, 'admin-booking')
  await page.getByRole('button', { name: /^Refund .*\.\.\.$/ }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await take(page, 'admin-booking-refund', false)
  await page.getByRole('button', { name: 'Keep the booking' }).click()
  await page.getByRole('button', { name: 'Mark as settled...' }).click()
  await expect(page.getByRole('dialog', { name: 'Mark as settled?' })).toBeVisible()
  await take(page, 'admin-booking-settle', false)
})

test('administration', async ({ page }) => {
  await page.goto('/admin-settings')
  await expect(page.getByText('Access Denied')).toBeVisible()
  await take(page, 'admin-denied', false)
  await page.request.post('/api/contact', {
    data: {
      firstName: 'Camille',
      lastName: 'Moreau',
      email: 'camille@example.org',
      inquiryType: 'group',
      message: 'We are twelve.',
      consent: true,
    },
  })
  await signInAsAdmin(page, '/admin-settings')
  const loaded = () => expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
  await expect(page.getByLabel(/^Markup of/).first()).toBeVisible()
  await loaded()
  await take(page, 'admin-settings')
  await page.getByRole('switch', { name: 'Live mode' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await take(page, 'admin-settings-dialog', false)

  await page.goto('/admin/brands')
  await expect(page.getByRole('table', { name: 'Brands' })).toBeVisible()
  await take(page, 'admin-brands')
  await page.getByRole('button', { name: 'Create brand' }).click()
  await expect(page.getByRole('dialog', { name: 'Create brand' })).toBeVisible()
  await take(page, 'admin-brands-create', false)

  await page.goto('/admin/brands/aurora.example')
  await expect(page.getByRole('list', { name: 'Legibility of the colours' })).toBeVisible()
  await take(page, 'admin-brand')
  for (const view of ['Results', 'Phone']) {
    await page.getByRole('radio', { name: view }).check({ force: true })
    await take(page, `admin-brand-${view.toLowerCase()}`)
  }
  for (const tab of ['texts', 'host', 'versions']) {
    await page.goto(`/admin/brands/aurora.example?tab=${tab}`)
    await expect(page.getByRole('tab', { selected: true })).toBeVisible()
    await loaded()
    await take(page, `admin-brand-${tab}`)
  }

  await page.goto('/admin/messages')
  await expect(page.getByRole('listitem').filter({ hasText: 'Camille' }).first()).toBeVisible()
  await take(page, 'admin-messages')
  await page.getByRole('listitem').filter({ hasText: 'Camille' }).first().getByRole('link').click()
  await expect(page.getByRole('article')).toBeVisible()
  await take(page, 'admin-message')
})
