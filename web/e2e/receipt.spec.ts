/** The receipt of a booking: from the confirmation, printed, after a cancellation, and for nobody else. */
import { expect, test } from 'playwright/test'
import { confirmed, toPayment } from './checkout.ts'
import { logIn, payButton, registered } from './traveller.ts'
import { visitor } from './visitor.ts'

test('journey: somebody opens the receipt of a new booking and prints it; another visitor is refused', async ({ page, browser }) => {
  await toPayment(page, 'MAD')
  const price = /[€$£¥][\d,]+/.exec(await payButton(page).innerText())?.[0] ?? 'no price'
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible()
  await page.getByRole('link', { name: 'Receipt' }).click()
  const sheet = page.getByRole('article', { name: 'Receipt' })
  await expect(sheet.getByText(/^TEST-\d{6}$/)).toBeVisible()
  await expect(sheet.getByRole('row', { name: `Total paid ${price}` })).toBeVisible()
  await expect(sheet.getByText('Inès Moreau').first()).toBeVisible()
  await expect(sheet.getByText(/card ending 4242/)).toBeVisible()
  await expect(sheet).not.toContainText('4242424242424242')

  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toBeVisible()
  for (const part of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('button', { name: /Print/ })])
    await expect(part).toBeHidden()

  const other = await visitor(browser)
  await other.page.goto(new URL(page.url()).pathname)
  await expect(other.page.getByRole('heading', { level: 1, name: 'Unable to show this receipt.' })).toBeVisible()
  await expect(other.page.getByText('Moreau')).toHaveCount(0)
})

test('the details of a trip lead to its receipt, which shows the refund once it is cancelled', async ({ page }) => {
  await page.goto('/login?redirect=%2F')
  await logIn(page, await registered(page))
  await expect(page.getByRole('heading', { level: 1, name: 'Good flights, plainly priced.' })).toBeVisible()
  await toPayment(page, 'VIE', ({ conditions }) => conditions.refundable)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible()
  await page.getByRole('link', { name: 'View My Trips' }).click()
  await page.getByRole('button', { name: /^View Details/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Receipt' }).click()
  const sheet = page.getByRole('article', { name: 'Receipt' })
  await expect(sheet.getByText('Paid', { exact: true })).toBeVisible()
  const number = await sheet.getByText(/^TEST-\d{6}$/).innerText()

  const id = new URL(page.url()).pathname.split('/')[2]
  expect((await page.request.post(`/api/bookings/${id}/cancel`, { headers: { origin: new URL(page.url()).origin } })).status()).toBe(200)
  await expect(async () => {
    await page.reload()
    await expect(sheet.getByText(/^(Partly refunded|Refunded)$/)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(sheet.getByRole('row', { name: /^Refunded to the card ending 4242/ })).toBeVisible()
  await expect(sheet.getByText(number)).toBeVisible()
})
