/** What the owner of an account does with it, on a wide screen and on a phone. */
import { readFile } from 'node:fs/promises'
import { type Browser, expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { type Account, logIn, outsideWorld, registered } from './traveller.ts'

const NEW_PASSWORD = 'Green-Umbrella-58-Sings'

/** The same person at another computer. */
async function elsewhere(browser: Browser, account: Account): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await page.goto('/login?redirect=/account-settings')
  await logIn(page, account)
  await expect(page.getByRole('heading', { level: 1, name: 'Account settings' })).toBeVisible()
  return page
}

async function expectSignedOut(page: Page): Promise<void> {
  await page.goto('/account-settings')
  await expect(page).toHaveURL('/login?redirect=%2Faccount-settings')
}

async function askForLink(page: Page, email: string): Promise<string> {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Look at your e-mail' })).toBeVisible()
  return page.getByRole('main').getByRole('status').innerText()
}

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Save new password' }).click()
}

test('journey R-60, LOGIN-09: a forgotten password is replaced by a link that came by mail, once', async ({ page, browser }) => {
  const account = await registered(page)
  const other = await elsewhere(browser, account)
  const answer = await askForLink(page, account.email)
  await expectAccessible(page)
  expect(await askForLink(page, `nobody.${account.email}`)).toBe(answer)

  const world = outsideWorld
  if (!world) return
  const links = async () =>
    (await world.mails(page.request, account.email)).flatMap(({ text }) => /\/set-password#\S+/.exec(text)?.[0] ?? [])
  await expect.poll(async () => (await links()).length).toBe(1)
  const [link = ''] = await links()
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Choose a password' })).toBeVisible()
  // The secret is not left in the address.
  await expect(page).toHaveURL('/set-password')
  await choose(page, 'short')
  await expect(page.getByText('New password must be at least 12 characters')).toBeVisible()
  await expectAccessible(page)
  await choose(page, NEW_PASSWORD)
  await expect(page.getByText('Your password has been set')).toBeVisible()
  await expectSignedOut(other)

  await logIn(page, account)
  await expect(page.getByRole('alert')).toContainText('Login failed')
  await logIn(page, { ...account, password: NEW_PASSWORD })
  await expect(page).toHaveURL('/')

  await page.goto(link)
  await choose(page, 'Yellow-Lantern-69-Walks')
  await expect(page.getByRole('heading', { level: 1, name: 'This link has expired or was used already' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeVisible()
})

test('journey ACCT-01, ACCT-05, ACCT-13, ACCT-14, LOGIN-06: another session is ended, and the others by a new password', async ({
  page,
  browser,
}) => {
  const account = await registered(page)
  await expectSignedOut(page)
  await logIn(page, account)
  await expect(page).toHaveURL('/account-settings')
  await expect(page.getByRole('tab', { name: 'Security' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('This device')).toBeVisible()
  await expect(page.getByRole('button', { name: /^End/ })).toHaveCount(0)

  const other = await elsewhere(browser, account)
  await page.reload()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await expect(page.getByText('The session has ended.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^End/ })).toHaveCount(0)
  await expectSignedOut(other)
  await logIn(other, account)
  await expect(other).toHaveURL('/account-settings')

  const form = page.getByRole('form', { name: 'Change password' })
  const save = form.getByRole('button', { name: 'Change password' })
  await save.click()
  for (const message of ['Current password is required', 'New password must be at least 12 characters', 'Please confirm your new password'])
    await expect(form.getByText(message)).toBeVisible()
  await form.getByLabel('Current password', { exact: true }).fill('not-this-one')
  await form.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await form.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD)
  await save.click()
  await expect(form.getByRole('alert')).toContainText('Current password is incorrect')
  await form.getByLabel('Current password', { exact: true }).fill(account.password)
  await save.click()
  await expect(page.getByText('Your password has been updated')).toBeVisible()
  for (const field of await form.getByRole('textbox').all()) await expect(field).toHaveValue('')
  await expectAccessible(page)

  await expectSignedOut(other)
  await logIn(other, account)
  await expect(other.getByRole('alert')).toContainText('Login failed')
  await logIn(other, { ...account, password: NEW_PASSWORD })
  await expect(other).toHaveURL('/account-settings')
})

test('journey ACCT-02: the profile, the data as a file, and the end of the account', async ({ page }) => {
  const account = await registered(page)
  await page.goto('/account-settings?tab=profile')
  await logIn(page, account)
  const main = page.getByRole('main')
  await expect(main.getByText(account.username, { exact: true })).toBeVisible()
  await expect(main.getByText('Not confirmed', { exact: true })).toBeVisible()
  await main.getByRole('button', { name: 'Send the link again' }).click()
  await expect(page.getByText('We have sent you an e-mail with a link.')).toBeVisible()
  await expectAccessible(page)

  const [file] = await Promise.all([page.waitForEvent('download'), main.getByRole('button', { name: 'Export my data' }).click()])
  expect(file.suggestedFilename()).toBe('my-data.json')
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { account: { email: string }; sessions: unknown[] }
  expect(data.account.email).toBe(account.email)
  expect(data.sessions).toHaveLength(1)

  await main.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('heading', { name: 'Delete your account?' })).toBeVisible()
  const confirm = dialog.getByRole('button', { name: 'Delete account' })
  await confirm.click()
  await expect(dialog.getByText('Current password is required')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill('not-this-one')
  await confirm.click()
  await expect(dialog.getByText('Current password is incorrect')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Password', { exact: true }).fill(account.password)
  await confirm.click()
  await expect(dialog.getByRole('heading', { name: 'Your account has been deleted' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL('/')

  await expectSignedOut(page)
  await logIn(page, account)
  await expect(page.getByRole('alert')).toContainText('Login failed')
})
