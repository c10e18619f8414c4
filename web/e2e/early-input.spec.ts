/** Visitors who are faster than the application: the page that came with the document takes what they do. */
import { expect, test } from 'playwright/test'

test('what is typed and pressed before the application is there is kept and done, and never sent in an address', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/SupportPage-*.js', async (route) => {
    await held
    await route.continue()
  })
  const asked: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/retrieve')) asked.push(request.postDataJSON())
  })
  const documents: string[] = []
  page.on('request', (request) => request.resourceType() === 'document' && documents.push(request.url()))

  await page.goto('/support', { waitUntil: 'commit' })
  // The application's file has run, which begins with this; the screen's code is held.
  await expect.poll(() => page.evaluate("'__zod_globalConfig' in globalThis")).toBe(true)
  const form = page.getByRole('form', { name: 'Retrieve Booking' })
  await form.getByLabel('Booking reference').fill('QQ7NOTOURS')
  await form.getByLabel('Email').fill('ines@example.org')
  await form.getByLabel('Email').press('Enter')
  expect(asked).toEqual([])
  release()

  await expect(form.getByRole('alert')).toContainText('We could not find that booking.')
  expect(asked).toEqual([{ reference: 'QQ7NOTOURS', email: 'ines@example.org' }])
  await expect(form.getByLabel('Booking reference')).toHaveValue('QQ7NOTOURS')
  expect(documents).toHaveLength(1)
})
