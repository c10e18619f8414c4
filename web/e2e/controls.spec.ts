/** What the controls of the home page, of a list and of the trips do; answers of the server that are hard to come by are put in their place. */
import { expect, test } from 'playwright/test'
import { signInWithTrips } from './signed-in-page.ts'
import { chooseDeparture, day, pickAirport, resultsAddress } from './traveller.ts'

test('AIR-02, AIR-03, AIR-04, AIR-09, FORM-02, FORM-07, FORM-09, FORM-19, FORM-20, FORM-30, FORM-33, FORM-36: the search form', async ({
  page,
}) => {
  const calls: string[] = []
  await page.goto('/')
  const from = page.getByRole('combobox', { name: 'From' })
  const list = page.getByRole('listbox')
  await from.click()
  await expect(list).toHaveCount(0)
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  await from.fill('pa')
  await expect(list.getByRole('option').first()).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(list).toHaveCount(0)
  await pickAirport(page, 'From', 'Paris', 'CDG')
  await expect(list).toHaveCount(0)
  await expect(from).toHaveValue(/Paris \(CDG\)/)
  await pickAirport(page, 'To', 'FCO', 'FCO')
  expect(calls).toEqual([])

  await page.getByRole('button', { name: /^Passengers/ }).click()
  for (const ages of ['12+ years', '2-11 years', 'Under 2 years']) await expect(page.getByText(ages)).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('One Way', { exact: true }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lastTripType'))).toBe('one-way')
  await chooseDeparture(page)

  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/flights/search', async (route) => {
    await answered
    await route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"SEARCH_BUSY","message":"busy","requestId":"r"}' })
  })
  await page.getByRole('button', { name: 'Search Flights' }).click()
  await expect(page.getByRole('button', { name: /^Searching/ })).toBeDisabled()
  answer()
  await expect(page.getByText('Search failed')).toBeVisible()
  await expect(page.getByText('Please try again later.')).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await page.unroute('**/api/flights/search')
  await page.getByRole('button', { name: 'Search Flights' }).click()
  await expect(page).toHaveURL(/\/search\?/)
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('lastSearchParams') ?? '{}')))
    .toMatchObject({
      origin: 'CDG',
      destination: 'FCO',
    })
})

test('RES-09, RES-10, RES-21, RES-33, R-12, FILT-03, FILT-16, FILT-17: the list', async ({ page }) => {
  await page.route('**/api/flights/search?*', (route) => route.fulfill({ status: 502, body: 'out of order' }), { times: 1 })
  await page.goto(resultsAddress('LHR', 'JFK', day(61)))
  await expect(page.getByText('Flight search failed with status: 502')).toBeVisible()
  await page.getByRole('button', { name: 'Try Again' }).click()
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(30)

  const panel = page.getByRole('button', { name: /^Filters/ })
  await expect(panel).not.toHaveText(/\d/)
  const count = page
    .getByRole('heading', { level: 2 })
    .filter({ hasText: /\d+ flights/ })
    .first()
  await expect(count).toBeVisible()
  const all = await count.innerText()
  await page.getByText('Refundable', { exact: true }).first().click()
  await expect(panel).toHaveText(/1/)
  await expect(count).not.toHaveText(all)
  await panel.click()
  await expect(panel).toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('button', { name: 'Clear Filters' }).first().click()
  await expect(panel).not.toHaveText(/\d/)
  await expect(panel).toHaveAttribute('aria-expanded', 'false')
  // The list that is left has thirty cards too.
  await expect(count).toHaveText(all)
  await expect(cards).toHaveCount(30)

  await page.getByRole('button', { name: 'Load More Flights' }).click()
  await expect(cards).toHaveCount(100)
  await expect(page).not.toHaveURL(/showMore|previousCount/)
  await page.reload()
  await expect(cards).toHaveCount(30)

  const [refreshed] = await Promise.all([
    page.waitForRequest((request) => request.url().includes('/api/flights/search')),
    page.getByRole('button', { name: 'Refresh Results' }).click(),
  ])
  expect(refreshed.headers()['cache-control']).toBe('no-cache')
  await page.getByRole('link', { name: 'Modify Search' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('BRAND-17: the corners of the page', async ({ page }) => {
  await page.goto('/')
  expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--r-2').trim()")).toMatch(/^0?\.5rem$/)
})

test('TRIPS-13, TRIPS-16, TRIPS-19, R-51: the dialogs of a trip', async ({ page }) => {
  const place = (iata_code: string, city_name: string) => ({ name: city_name, iata_code, city_name, country_code: null, time_zone: null })
  const trip = {
    id: 'bk_1',
    status: 'confirmed',
    duffelBookingId: 'k7tm2pqx0123',
    charged: { amount: '274.00', currency: 'EUR' },
    cancellation: { refund: { amount: '182.50', currency: 'EUR' } },
    bookingData: {
      slices: [
        {
          id: 'sli_1',
          origin: place('CDG', 'Paris'),
          destination: place('FCO', 'Rome'),
          departure_time: '2027-03-04T08:00:00',
          segments: [],
        },
      ],
      passengers: [],
      conditions: { cancellation_options: [{ type: 'refund' }] },
    },
  }
  await signInWithTrips(page, [trip])
  await page.route('**/api/bookings/bk_1', (route) => route.fulfill({ status: 502, body: '' }), { times: 1 })
  await page.goto('/my-trips')
  await page.getByRole('button', { name: /View Details/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Unable to load booking details.')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
  await page.route('**/api/bookings/bk_1', (route) => route.fulfill({ json: trip }))
  await page.getByRole('button', { name: /View Details/ }).click()
  await expect(page.getByRole('dialog')).toContainText('€274')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()

  const refusal = { error: 'BOOKING_STATE', message: 'This booking can no longer be changed.', requestId: 'r' }
  await page.route('**/api/bookings/bk_1/cancel', (route) => route.fulfill({ status: 409, json: refusal }))
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await page.getByRole('button', { name: /^Cancel trip/ }).click()
  await expect(page.getByText('Cancellation failed')).toBeVisible()
  await expect(page.getByText(refusal.message)).toBeVisible()
})
