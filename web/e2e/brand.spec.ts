/** A brand in the browser: made, published, booked under, written to, rolled back and deactivated. */
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { adminPassword, freshHost, signInAsAdmin, siteOn } from './administrator.ts'
import { enterCard, enterPassengers, openFirstOffer, outsideWorld, ownDay, payButton, resultsAddress, someone } from './traveller.ts'

test.skip(() => adminPassword() === null, 'the administrator’s password is not known')

/** Books on the site that the page is on; undefined where the mailbox cannot be reached. */
async function bookAndReadMail(page: Page): Promise<{ subject: string } | undefined> {
  const person = someone()
  await page.goto(resultsAddress('CDG', 'LIS', ownDay()))
  await openFirstOffer(page)
  await enterPassengers(page, [person])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
  const world = outsideWorld
  if (!world) return undefined
  const found = async () => (await world.mails(page.request, person.email)).find(({ subject }) => subject.startsWith('Booking confirmed'))
  await expect.poll(found).toBeTruthy()
  return found()
}

test('journey BMGR-02, BMGR-03, BMGR-04, BRAND-06, BRAND-20, R-72: a brand from nothing to published, a booking and its mail under it, rolled back and deactivated', async ({
  page,
  browser,
  baseURL,
  viewport,
}) => {
  test.setTimeout(300_000)
  const key = freshHost()
  const visitor = await (await browser.newContext({ baseURL: siteOn(key, baseURL), viewport })).newPage()
  /** The name and the primary colour that visitors of the host get. */
  const seen = async () => {
    await visitor.goto('/')
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
  await expectAccessible(page)
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
  await expectAccessible(visitor)
  const mail = await bookAndReadMail(visitor)
  expect(mail?.subject ?? 'Rivage').toMatch(/Rivage$/)

  await editor.getByLabel('Name', { exact: true }).fill('Rivage Bleu')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page
    .getByRole('alertdialog')
    .getByLabel(/^What has changed/)
    .fill('Another name')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish now' }).click()
  await expect(page.getByText('Version 2 published')).toBeVisible()
  await expect.poll(seen, reaches).toBe('Rivage Bleu #123456')
  const next = await bookAndReadMail(visitor)
  expect(next?.subject ?? 'Rivage Bleu').toMatch(/Rivage Bleu$/)

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
  await expect(page.getByRole('row').filter({ hasText: key }).getByText('Deactivated')).toBeVisible()
})
