/** The airline changes its times: the mail, what changed on the trip, and both answers to it. */
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { confirmed, toPayment } from './checkout.ts'
import { logIn, outsideWorld, payButton, registered } from './traveller.ts'

test.skip(() => outsideWorld === null, 'the airline’s simulator cannot be asked')

/** A booked trip whose first flight leaves two hours later than it was booked; the trips are on the screen. */
async function changedTrip(page: Page, to: string) {
  const account = await registered(page)
  await page.goto('/login?redirect=%2F')
  await logIn(page, account)
  await expect(page.getByRole('heading', { level: 1, name: 'Good flights, plainly priced.' })).toBeVisible()
  const person = await toPayment(page, to, ({ conditions }) => !conditions.refundable)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible()
  const [trip] = (await (await page.request.get('/api/bookings')).json()) as { id: string }[]
  const orders = (await outsideWorld?.orders(page.request)) ?? []
  const order = orders.find(({ metadata }) => metadata.booking_id === trip?.id)
  await outsideWorld?.happen(page.request, { case: 'schedule-change', order: order?.id, minutes: 120 })
  await expect(async () => {
    await page.goto('/my-trips')
    await expect(page.getByText('The airline has changed your flight times.')).toBeVisible({ timeout: 1500 })
  }).toPass()
  return person
}

test('the new times are beside the old ones, and are accepted', async ({ page }) => {
  await changedTrip(page, 'ATH')
  await expectAccessible(page, 'trips')
  await page.getByRole('button', { name: 'See the new times' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Accept them, or cancel the trip')).toBeVisible()
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page, `new times, ${width} px`)
  }
  await dialog.getByRole('button', { name: 'Accept new times' }).click()
  await expect(dialog.getByText('You have accepted the new times.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Accept new times' })).toBeHidden()
})

test('a fare that is not refundable is cancelled for what the airline says before it that it gives back, and the mail told of it', async ({
  page,
}) => {
  const { email = '' } = await changedTrip(page, 'OSL')
  await expect
    .poll(async () => (await outsideWorld?.mails(page.request, email))?.map(({ subject }) => subject).join(), { timeout: 15_000 })
    .toContain('Your flight times have changed')
  await page.getByRole('button', { name: 'See the new times' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel trip' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel this trip?' })
  await expect(question.getByText('Refund to the card ending 4242')).toBeVisible()
  await expectAccessible(page, 'the quoted refund', '[role="alertdialog"]')
  await question.getByRole('button', { name: /^Cancel trip, refund [€$£][\d,.]+$/ }).click()
  await expect(page.getByText('Booking cancelled').first()).toBeVisible()
  await page.getByRole('tab', { name: /^Cancelled/ }).click()
  await expect(page.getByText(/(refunded to|on its way back to) the card ending 4242/)).toBeVisible()
})
