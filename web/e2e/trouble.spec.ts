import { expect, test } from 'playwright/test'
import {
  day,
  enterCard,
  enterPassengers,
  openFirstOffer,
  openOfferLike,
  outsideWorld,
  payButton,
  resultsAddress,
  someone,
} from './traveller.ts'

test.describe.configure({ mode: 'serial' })

test('PAY-13, PAY-14: a declined card is told, the number is emptied, and another card pays for the same booking', async ({ page }) => {
  await page.goto(resultsAddress('CDG', 'LIS', day(51)))
  await openFirstOffer(page)
  await enterPassengers(page, [someone()])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page, '4000000000000002')
  await payButton(page).click()
  await expect(page.getByText(/Payment Failed/).first()).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue('')
  await expect(page.getByLabel('Name on card')).toHaveValue('Ines Moreau')
  await expect(page.getByLabel('Card number')).toBeFocused()
  await enterCard(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
})

test('ABOOK-11: a changed price is told before anything is charged, and the new price can be paid', async ({ page, request }) => {
  await page.goto(resultsAddress('CDG', 'MAD', day(52)))
  const listed = await openFirstOffer(page)
  await enterPassengers(page, [someone()])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await outsideWorld?.happen(request, { case: 'price-change', route: 'CDG-MAD', amount: '30.00', at: 'read', times: 1 })
  await payButton(page).click()
  await expect(
    page
      .getByText(/price/i)
      .filter({ hasText: /changed|new/i })
      .first(),
  ).toBeVisible()
  await expect(payButton(page)).not.toHaveText(`Pay ${listed}`)
  const number = page.getByLabel('Card number')
  if ((await number.count()) > 0 && (await number.inputValue()) === '') await enterCard(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
})

test('PAY-19: an expired offer is told and leads back to the search', async ({ page, request }) => {
  await page.goto(resultsAddress('CDG', 'FCO', day(53)))
  await openFirstOffer(page)
  await enterPassengers(page, [someone()])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await outsideWorld?.happen(request, { case: 'offer-gone', route: 'CDG-FCO', at: 'read' })
  await payButton(page).click()
  await expect(page.getByText(/Flight Offer Expired|Offer No Longer Available/).first()).toBeVisible()
  await expect(page).toHaveURL(/\/search\?.*origin=CDG/, { timeout: 15_000 })
})

test('R-92, RES-31: an offer that was found to be gone is in no list any more, and no page counts down its price', async ({
  page,
  request,
}) => {
  await page.goto(resultsAddress('CDG', 'VIE', day(55)))
  const shown = page.getByRole('link', { name: /View Details/ })
  await expect(shown.first()).toBeVisible()
  const before = Number(/of (\d+)/.exec(await page.getByText(/^Showing \d+ of/).innerText())?.[1])
  await openFirstOffer(page)
  await expect(page.getByText(/Price held for/)).toBeVisible()
  const offer = new URL(page.url()).searchParams.get('offer') ?? ''
  await outsideWorld?.happen(request, { case: 'offer-gone', offerId: offer.replace('oft_', 'off_'), at: 'read' })
  // What was read of it a moment ago counts for some seconds.
  await expect.poll(async () => (await page.request.get(`/api/flights/verify-offer/${offer}`)).status()).toBe(410)

  await page.goBack()
  await page.goForward()
  await expect(page.getByText(/expired|no longer/i).first()).toBeVisible()
  await expect(page.getByText(/Price held for/)).toHaveCount(0)

  await page.goBack()
  await page.getByRole('link', { name: 'Back to Search Results' }).first().click()
  await expect(shown.first()).toBeVisible()
  await expect(page.locator(`a[href*="${offer}"]`)).toHaveCount(0)
  await expect(page.getByText(`of ${before - 1}`).first()).toBeVisible()

  await page.goto(`/flight/${offer}`)
  await expect(page.getByRole('heading', { name: 'Flight Offer Expired' })).toBeVisible()
  await page.goto(`/booking?offer=${offer}&adults=1&children=0&infants=0`)
  await expect(page.getByText(/expired/i).first()).toBeVisible()
  await expect(page.getByText(/Price held for/)).toHaveCount(0)
})

test('TRIPS-17, TRIPS-18: a trip is cancelled after one question that names the refund', async ({ page }) => {
  await openOfferLike(page, resultsAddress('CDG', 'LIS', day(54)), (offer) => offer.conditions.refundable)
  await enterPassengers(page, [someone()])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
  await page.getByRole('link', { name: 'View My Trips' }).click()
  await page
    .getByRole('button', { name: /^Cancel/ })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toContainText('Cancel this trip?')
  await page.getByRole('button', { name: /^Cancel trip/ }).click()
  await expect(page.getByText('Your booking has been successfully cancelled.')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('tab', { name: /Cancelled/ }).click()
  await expect(page.getByRole('article').getByText('Cancelled', { exact: true })).toBeVisible()
})
