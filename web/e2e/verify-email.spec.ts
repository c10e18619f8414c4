/** An address is proved by the link of a mail, which works once. */
import { expect, type Page, test } from 'playwright/test'
import { outsideWorld, someone } from './traveller.ts'

test.skip(!outsideWorld, 'the mailbox cannot be reached')

const PASSWORD = 'Blue-Suitcase-47-Runs'

async function registered(page: Page): Promise<string> {
  const { email, first, last } = someone()
  const username = email.split('@')[0] ?? ''
  const account = { username, email, firstName: first, lastName: last, password: PASSWORD }
  await page.goto('/login')
  expect((await page.request.post('/api/auth/register', { data: account })).status()).toBe(201)
  await page.getByLabel(/Username/).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page).not.toHaveURL(/login/)
  return email
}

const links = async (page: Page, email: string) =>
  ((await outsideWorld?.mails(page.request, email)) ?? []).flatMap(({ text }) => /\/verify-email#\S+/.exec(text)?.[0] ?? [])

test('My Trips asks to confirm the e-mail and sends the link again; the link confirms it once', async ({ page }) => {
  const email = await registered(page)
  await page.goto('/my-trips')
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
