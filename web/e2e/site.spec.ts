import { expect, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { day, resultsAddress, someone } from './traveller.ts'

const screens = [
  ['home', '/'],
  ['results', resultsAddress('CDG', 'LIS', day(60))],
  ['sign-in', '/login'],
  ['registration', '/register'],
  ['My Trips, signed out', '/my-trips'],
  ['not found', '/no-such-page'],
] as const

for (const [name, path] of screens) {
  test(`${name}: no accessibility violation, no message of the content policy, no error in the console`, async ({ page }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (name === 'results') await expect(page.getByRole('article').first()).toBeVisible()
    await page.waitForTimeout(300)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })
}

test('BRAND-15: buttons are filled with the brand’s colour, whatever else has brought styles', async ({ page }) => {
  await page.goto('/support?tab=contact')
  // With the tabs come styles of their own.
  await expect(page.getByRole('tab').first()).toBeVisible()
  const button = page.getByRole('button', { name: 'Submit Request' })
  await expect(button).toHaveCSS('background-color', 'rgb(15, 118, 110)')
  await expect(button).toHaveCSS('padding-left', '24px')
  await expect(page.getByRole('tab', { selected: true })).toHaveCSS('border-bottom-width', '2px')
})

test('GEN-09, GEN-10: an unknown path shows the two literal texts, with header and footer', async ({ page }) => {
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
})

test('home and content pages are there, in the colours of the brand, before any script has run', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Good flights, plainly priced.' })).toBeVisible()
  await page.goto('/about?brand=atlas.example')
  await expect(page.getByText('Atlas Voyages is a travel agency')).toBeVisible()
  await context.close()
})

test('BRAND-07, BRAND-19: ?brand= on this machine brings name and colours without a flash', async ({ page }) => {
  await page.goto('/?brand=atlas.example')
  await expect(page).toHaveTitle(/Atlas Voyages/)
  const brand = await page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()`)
  await page.goto('/?brand=default')
  const other = await page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()`)
  expect(brand).not.toBe(other)
})

test('REG-09, LOGIN-05, HEAD-05, HEAD-09: register, sign in, see the menu, sign out', async ({ page }) => {
  const eva = someone()
  const name = `eva${Date.now().toString(36)}`
  await page.goto('/register')
  await page.getByLabel('Username').fill(name)
  await page.getByLabel(/^Email/).fill(eva.email)
  await page.getByLabel('First name').fill('Eva')
  await page.getByLabel('Last name').fill('Durand')
  await page.getByLabel('Password', { exact: true }).fill('secret-1')
  await page.getByLabel(/Confirm/).fill('secret-1')
  await page
    .getByRole('button', { name: /Sign Up|Create/ })
    .last()
    .click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Registration successful').first()).toBeVisible()
  // The address changes before the screen does, and both screens have fields of these names.
  await expect(page.getByRole('heading', { level: 1, name: 'Log In' })).toBeVisible()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill('secret-1')
  await page.getByRole('main').getByRole('button', { name: 'Log In' }).click()
  await expect(page).toHaveURL(/\/$/)
  await page.getByRole('button', { name: /Eva/ }).click()
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Log In' })).toBeVisible()
})
