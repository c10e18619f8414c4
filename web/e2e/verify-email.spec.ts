/** An address is proved by the link of a mail, which works once. */
import { expect, type Page, test } from 'playwright/test'
import { logIn, outsideWorld, registered } from './traveller.ts'

test.skip(!outsideWorld, 'the mailbox cannot be reached')

const links = async (page: Page, email: string) =>
  ((await outsideWorld?.mails(page.request, email)) ?? []).flatMap(({ text }) => /\/verify-email#\S+/.exec(text)?.[0] ?? [])

test('My Trips asks to confirm the e-mail and sends the link again; the link confirms it once', async ({ page }) => {
  const account = await registered(page)
  const { email } = account
  await page.goto('/login?redirect=/my-trips')
  await logIn(page, account)
  const notice = page.getByRole('note').filter({ hasText: 'Confirm your e-mail' })
  await expect(notice).toContainText(email)
  await expect.poll(() => links(page, email).then(({ length }) => length)).toBe(1)
  await page.getByRole('button', { name: 'Send the e-mail again' }).click()
  await expect(notice).toContainText('We sent a link')
  await expect.poll(() => links(page, email).then(({ length }) => length)).toBe(2)

  const link = (await links(page, email)).at(-1) ?? ''
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Your e-mail address is confirmed' })).toBeVisible()
  // The secret is not left in the address.
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('link', { name: 'View My Trips' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Trips' })).toBeVisible()
  await expect(notice).toHaveCount(0)

  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'This link has expired or was used already' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('nothing left to do')
})

test('a link that is not complete says so, and one that nobody made is refused clearly', async ({ page }) => {
  await page.goto('/verify-email')
  await expect(page.getByRole('heading', { level: 1, name: 'This link is not complete' })).toBeVisible()
  await page.goto(`/verify-email#${'x'.repeat(43)}`)
  await expect(page.getByRole('heading', { level: 1, name: 'This link has expired or was used already' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('My Trips sends you a new one')
})
