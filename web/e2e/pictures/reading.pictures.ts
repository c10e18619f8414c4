/** Pages that nobody has to do anything for. */
import { expect, type Page } from 'playwright/test'
import { isPhone, take, test } from './camera.ts'

const PAGES: readonly [name: string, path: string][] = [
  ['home', '/'],
  ['privacy', '/privacy'],
  ['terms', '/terms'],
  ['cookies', '/cookies'],
  ['cancellation-policy', '/cancellation-policy'],
  ['about', '/about'],
  ['accessibility', '/accessibility'],
  ['support', '/support'],
  ['support-contact', '/support?tab=contact'],
  ['support-bookings', '/support?tab=bookings'],
  ['faq', '/faq#refund-time'],
  ['faq-search', '/faq?q=refund'],
  ['faq-nothing', '/faq?q=zeppelin'],
  ['contact', '/contact'],
  ['expedia', '/expedia'],
  ['sign-in', '/login'],
  ['register', '/register'],
  ['forgot-password', '/forgot-password'],
  ['link-incomplete', '/set-password'],
  ['unsubscribe', '/unsubscribe'],
  ['trips-signed-out', '/my-trips'],
  ['offer-not-found', '/flight/oft_none'],
  ['not-found', '/no-such-page'],
]

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
}

test('pages', async ({ page }) => {
  for (const [name, path] of PAGES) {
    await open(page, path)
    await take(page, name)
  }
})

test('forms that were sent too early', async ({ page }) => {
  for (const [name, path, button] of [
    ['contact-refused', '/contact', 'Send message'],
    ['register-refused', '/register', 'Create Account'],
    ['home-refused', '/', 'Search Flights'],
  ] as const) {
    await open(page, path)
    await page.getByRole('main').getByRole('button', { name: button }).click()
    await take(page, name)
  }
})

test('the menu of a phone', async ({ page }) => {
  if (!isPhone()) return
  await open(page, '/')
  await page.getByRole('banner').getByRole('button', { name: /menu/i }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await take(page, 'phone-menu', false)
})
