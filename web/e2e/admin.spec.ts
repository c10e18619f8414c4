/** Administration: who may see it, brands from nothing to published and back, markups, messages. */
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from 'playwright/test'
import { adminPassword, signInAsAdmin } from './administrator.ts'
import { outsideWorld, someone } from './traveller.ts'

test.skip(() => adminPassword() === null, 'the administrator’s password is not known')

const SCREENS = [
  '/admin-settings',
  '/admin/brands',
  '/admin/brands/default',
  '/admin/brands/default?tab=texts',
  '/admin/brands/default?tab=versions',
  '/admin/messages',
]
const LOADED = /Audit|All brands|Legibility|List of messages/

async function expectAccessible(page: Page, where: string, part = 'html'): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(violations.map((violation) => `${where}: ${violation.id}: ${violation.nodes[0]?.html}`)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), where).toBe(true)
}

test('ADM-03, BMGR-01, R-72: others read "Access Denied" and are led home', async ({ page }) => {
  for (const path of ['/admin-settings', '/admin/brands', '/admin/messages']) {
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

const name = () => `rivage-${Date.now().toString(36)}`

test('BMGR-02, BMGR-03, BMGR-04, BRAND-06, R-72: a brand from nothing to published, seen on its host, rolled back and deactivated', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000)
  const key = `${name()}.localhost`
  const host = new URL(baseURL ?? '')
  host.hostname = key
  const visitor = await (await browser.newContext()).newPage()
  /** The name and the primary colour that visitors of the host get. */
  const seen = async () => {
    await visitor.goto(host.href)
    const color = await visitor.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--brand').trim()")
    return `${(await visitor.title()).split(':')[0]} ${color}`
  }
  const reaches = { timeout: 60_000, intervals: [2000] }

  await signInAsAdmin(page, '/admin/brands')
  await page.getByRole('button', { name: 'Create brand' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create brand' })
  await dialog.getByLabel('Name', { exact: true }).fill('Rivage')
  await dialog.getByLabel('Host name').fill('no host')
  await dialog.getByRole('button', { name: 'Create brand' }).click()
  await expect(dialog.getByText('Please enter a host name, such as flights.example.com')).toBeVisible()
  await dialog.getByLabel('Host name').fill('atlas.example')
  await dialog.getByRole('button', { name: 'Create brand' }).click()
  await expect(dialog.getByText('There is a brand with this host already.')).toBeVisible()
  await dialog.getByLabel('Host name').fill(key)
  await dialog.getByRole('button', { name: 'Create brand' }).click()
  await expect(page).toHaveURL(`/admin/brands/${key}`)

  const editor = page.getByRole('form', { name: 'Brand' })
  await editor.getByLabel('Primary', { exact: true }).fill('blue')
  await editor.getByLabel(/^Twitter/).fill('social.example/@rivage')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(editor.getByText('A colour must be hex, such as #0f766e')).toBeVisible()
  await expect(editor.getByText(/A link must start with http|Invalid/)).toBeVisible()
  await editor.getByLabel(/^Twitter/).fill('')
  await editor.getByLabel('Primary', { exact: true }).fill('#ffff99')
  const legibility = page.getByRole('list', { name: 'Legibility of the colours' })
  await expect(legibility.getByText('Adjusted').first()).toBeVisible()
  await editor.getByLabel('Primary', { exact: true }).fill('#123456')
  await expect(legibility.getByText('Adjusted')).toHaveCount(0)
  await editor.getByLabel('Email').fill('hello@rivage.example')

  const logo = page.getByLabel('Logo file')
  await logo.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(201 * 1024) })
  await expect(editor.getByText(/at most 200 KB; this one has 201 KB/)).toBeVisible()
  await logo.setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<html></html>') })
  await expect(editor.getByText('A logo must be an SVG, PNG or WebP image of at most 200 KB.')).toBeVisible()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><script>alert(1)</script><rect width="80" height="20"/></svg>'
  await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
  await expect(editor.getByLabel(/^Logo address/)).toHaveValue(/^\/api\/brands\/.*\.svg$/)

  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Draft saved')).toBeVisible()
  await editor.getByLabel('Phone').fill('1')
  await page.getByRole('link', { name: 'Brands' }).first().click()
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open preview' }).click()
  await expect(await preview).toHaveTitle(/^Rivage:/)
  expect(await seen()).toContain('Passerelle')

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Version 1 published')).toBeVisible()
  await expect.poll(seen, reaches).toBe('Rivage #123456')
  await expect(visitor.getByRole('banner').getByRole('img', { name: 'Rivage' })).toBeVisible()

  await editor.getByLabel('Name', { exact: true }).fill('Rivage Bleu')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page
    .getByRole('alertdialog')
    .getByLabel(/^What has changed/)
    .fill('Another name')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Version 2 published')).toBeVisible()
  await expect.poll(seen, reaches).toBe('Rivage Bleu #123456')

  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByText('Another name')).toBeVisible()
  await page.getByRole('button', { name: 'Roll back to version 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByText('Version 1 is published again')).toBeVisible()
  await expect.poll(seen, reaches).toBe('Rivage #123456')

  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate brand' }).click()
  await expect(page.getByText('Brand deactivated')).toBeVisible()
  await expect.poll(seen, reaches).toContain('Passerelle')

  await page.getByRole('tab', { name: 'Look' }).click()
  await editor.getByLabel('Phone').fill('2')
  await page.getByRole('link', { name: 'Brands' }).first().click()
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/admin/brands')
  await expect(page.getByRole('row', { name: /Rivage/ }).getByText('Deactivated')).toBeVisible()
})

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
