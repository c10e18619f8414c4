/** Administration: who may see it, markups, messages. */
import { expect, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { adminPassword, signInAsAdmin } from './administrator.ts'
import { outsideWorld, someone } from './traveller.ts'

test.skip(() => adminPassword() === null, 'the administrator’s password is not known')

const SCREENS = [
  '/admin-settings',
  '/admin/brands',
  '/admin/brands/default',
  '/admin/brands/default?tab=texts',
  '/admin/brands/default?tab=versions',
  '/admin/brands/default?tab=host',
  '/admin/messages',
]
const LOADED = /Audit|All brands|Legibility|List of messages|Sender of mails/

test('ADM-03, BMGR-01, R-72: others read "Access Denied" and are led home', async ({ page }) => {
  for (const path of ['/admin-settings', '/admin/brands', '/admin/messages', '/admin/bookings']) {
    await page.goto(path)
    await expect(page.getByText('Access Denied')).toBeVisible()
    await expect(page.getByText("You don't have permission to access admin settings.")).toBeVisible()
    await expect(page).toHaveURL('/')
  }
})

test('ADM-03: a session that ended elsewhere is denied too', async ({ page, context }) => {
  await signInAsAdmin(page, '/admin/brands')
  await expect(page.getByRole('table', { name: 'Brands' })).toBeVisible()
  await context.clearCookies()
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('Access Denied')).toBeVisible()
  await expect(page).toHaveURL('/')
})

for (const width of [390, 1280]) {
  test(`administration has no accessibility violation and does not scroll sideways at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await signInAsAdmin(page, '/admin-settings')
    for (const address of SCREENS) {
      await page.goto(address)
      await expect(
        page
          .getByRole('heading', { name: LOADED })
          .or(page.getByRole('region', { name: LOADED }))
          .first(),
      ).toBeVisible()
      await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
      await expectAccessible(page, address)
    }
    await page.goto('/admin/brands')
    await page.getByRole('button', { name: 'Create brand' }).click()
    await expect(page.getByRole('dialog', { name: 'Create brand' })).toBeVisible()
    await expectAccessible(page, 'create brand', '[role="dialog"]')
  })
}

test('R-62: a message is read, answered by mail and marked', async ({ page, request }) => {
  const { email } = someone()
  await page.goto('/support?tab=contact')
  await page.getByLabel('Full name').fill('Inès Moreau')
  await page.getByRole('main').getByLabel('Email', { exact: true }).first().fill(email)
  await page.getByLabel('Subject').fill(`Bags ${email}`)
  await page.getByRole('textbox', { name: 'Message' }).fill('May I bring a violin?')
  await page.getByRole('button', { name: 'Submit Request' }).click()
  await expect(page.getByText('Message sent')).toBeVisible()

  await signInAsAdmin(page, '/admin/messages')
  await page.getByRole('listitem').filter({ hasText: email }).getByRole('link').click()
  const letter = page.getByRole('article', { name: `Bags ${email}` })
  await expect(letter.getByText('May I bring a violin?')).toBeVisible()
  await letter.getByRole('button', { name: 'Send answer' }).click()
  await expect(letter.getByText('Please enter your answer')).toBeVisible()
  await letter.getByLabel('Your answer').fill('You may, in the cabin.')
  await letter.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('Answer sent')).toBeVisible()
  await expect(letter.getByText('You may, in the cabin.')).toBeVisible()
  await letter.getByRole('button', { name: 'Mark as new' }).click()
  await expect(letter.getByRole('button', { name: 'Mark as answered' })).toBeVisible()
  const world = outsideWorld
  if (!world) return
  await expect.poll(async () => (await world.mails(request, email)).some(({ text }) => text.includes('You may, in the cabin.'))).toBe(true)
})

test('R-67: a markup is refused beside its field, saved with its example, and recorded', async ({ page }) => {
  await signInAsAdmin(page, '/admin-settings')
  const markup = page.getByLabel('Markup of Aurora Air in percent')
  await markup.fill('101')
  await expect(page.getByText('A markup is at most 100 %')).toBeVisible()
  await markup.fill('12.5')
  await page.getByRole('button', { name: 'Save markup' }).click()
  await expect(page.getByText('Settings Updated')).toBeVisible()
  await expect(page.getByRole('row', { name: /Aurora Air/ })).toContainText('€1,125')
  await expect(page.getByRole('heading', { name: 'Markup of aurora.example' }).first()).toBeVisible()
})

test('rights for one brand are given to an address, and taken back', async ({ page }) => {
  const { email } = someone()
  await signInAsAdmin(page, '/admin-settings')
  const form = page.getByRole('form', { name: 'Add an administrator' })
  await form.getByRole('button', { name: 'Give these rights' }).click()
  await expect(form.getByText('Please choose a brand, or all brands')).toBeVisible()
  await form.getByLabel('E-mail').fill(email)
  await form.getByRole('checkbox', { name: 'Aurora Air' }).check()
  await form.getByRole('button', { name: 'Give these rights' }).click()
  const row = page.getByRole('table', { name: 'Administrators' }).getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Aurora Air')
  await row.getByRole('button').click()
  await expect(row).toHaveCount(0)
})
