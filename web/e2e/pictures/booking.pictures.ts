/** From a search to a trip, and its end. */
import { expect } from 'playwright/test'
import { day, enterCard, enterPassengers, openOfferLike, ownDay, payButton, resultsAddress, someone } from '../traveller.ts'
import { isPhone, take, test } from './camera.ts'

const RESULTS = resultsAddress('CDG', 'JFK', day(40), { returnDate: day(47), adultsCount: '2' })

test('results', async ({ page }) => {
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/flights/search?*', async (route) => {
    await answered
    await route.continue()
  })
  await page.goto(RESULTS)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await take(page, 'results-loading')
  answer()
  await expect(page.getByRole('article').first()).toBeVisible()
  await take(page, 'results')
  if (isPhone()) {
    await page.getByRole('button', { name: /^Filters/ }).click()
    await take(page, 'phone-filters', false)
  }
  await page.unroute('**/api/flights/search?*')

  await page.route('**/api/flights/search?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), offers: [], total: 0 } })
  })
  await page.goto(resultsAddress('CDG', 'OSL', day(41)))
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  await take(page, 'results-empty')
  await page.unroute('**/api/flights/search?*')
  await page.route('**/api/flights/search?*', (route) => route.fulfill({ status: 502, body: 'out of order' }))
  await page.goto(resultsAddress('CDG', 'ARN', day(41)))
  await expect(page.getByText('Flight search failed with status: 502')).toBeVisible()
  await take(page, 'results-failed')
})

test('a booking', async ({ page }) => {
  const cards = page.getByRole('article')
  await page.goto(RESULTS)
  await cards
    .first()
    .getByRole('link', { name: /View Details/ })
    .click()
  await expect(page.getByRole('link', { name: /Book This Flight|Book Now/ }).first()).toBeVisible()
  await take(page, 'detail')

  await openOfferLike(page, resultsAddress('CDG', 'LIS', ownDay(), { adultsCount: '2' }), ({ conditions }) => conditions.refundable)
  await take(page, 'booking-passengers')
  await page.getByRole('button', { name: 'Continue to Seat Selection' }).click()
  await take(page, 'booking-passengers-refused')
  const { email: _, ...second } = someone()
  await enterPassengers(page, [someone(), { ...second, first: 'Ada' }])
  await expect(page.getByRole('main').getByText(/^Loading/)).toHaveCount(0)
  await take(page, 'booking-seats')
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page, '4000000000000002')
  await take(page, 'booking-payment')
  await payButton(page).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await take(page, 'payment-declined')
  await enterCard(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
  await take(page, 'booking-confirmation')
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(page.getByRole('article', { name: 'Receipt' })).toBeVisible()
  const receipt = page.url()
  await take(page, 'receipt')

  await page.goto('/my-trips')
  await expect(cards.first()).toBeVisible()
  await take(page, 'trips')
  await page.getByRole('button', { name: /Details/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await take(page, 'trip-details', false)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toContainText('Cancel this trip?')
  await take(page, 'trips-cancel', false)
  await page.getByRole('button', { name: /^Cancel trip/ }).click()
  await expect(page.getByText('Your booking has been successfully cancelled.')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('tab', { name: /Cancelled/ }).click()
  await expect(cards.first()).toBeVisible()
  await take(page, 'trips-cancelled')
  await expect(async () => {
    await page.goto(receipt)
    await expect(page.getByText('Paid after the refund')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await take(page, 'receipt-refunded')
})
