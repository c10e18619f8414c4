/** Fares by e-mail: signed up in the footer, told by mail, and ended by the link of that mail. */
import { expect, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { outsideWorld, someone } from './traveller.ts'

test('journey FOOT-04, R-62: an address is signed up in the footer, and one click in the mail ends it', async ({ page, request }) => {
  test.skip(!outsideWorld, 'the mailbox cannot be reached')
  const { email } = someone()
  await page.goto('/about')
  const form = page.getByRole('contentinfo').getByRole('form', { name: 'Fares by e-mail' })
  await form.getByLabel('Your e-mail').fill(email)
  await form.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByText('You are signed up')).toBeVisible()
  await expect(form.getByLabel('Your e-mail')).toHaveValue('')

  const links = async () =>
    ((await outsideWorld?.mails(request, email)) ?? []).flatMap(({ text }) => /\/unsubscribe#\S+/.exec(text)?.[0] ?? [])
  await expect.poll(async () => (await links()).length).toBe(1)
  const [link = ''] = await links()
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'You get no more of these e-mails' })).toBeVisible()
  // The secret is not left in the address.
  await expect(page).toHaveURL('/unsubscribe')
  await expectAccessible(page)
  await page.goto('/unsubscribe')
  await expect(page.getByRole('heading', { level: 1, name: 'This link is not complete' })).toBeVisible()
})
