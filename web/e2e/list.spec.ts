/** The list of results: pages, filters and order, whatever the order in which answers come. */
import { expect, test } from 'playwright/test'
import { signInWithTrips } from './signed-in-page.ts'
import { day, resultsAddress } from './traveller.ts'

const ADDRESS = resultsAddress('LHR', 'JFK', day(63))

test('a page that was asked for before a refresh does not replace the fresh list', async ({ page }) => {
  await page.goto(ADDRESS)
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(30)
  const answered: string[] = []
  await page.route(/\/api\/flights\/search\?.*limit=100/, async (route) => {
    const response = await route.fetch()
    await expect.poll(() => answered).toContain('fresh')
    await route.fulfill({ response }).catch(() => undefined)
    answered.push('old')
  })
  await page.getByRole('button', { name: 'Load More Flights' }).click()
  await page.route(/\/api\/flights\/search\?.*limit=30/, async (route) => {
    await route.continue()
    answered.push('fresh')
  })
  await page.getByRole('button', { name: 'Refresh Results' }).click()
  await expect.poll(() => answered).toEqual(['fresh', 'old'])
  await expect(cards).toHaveCount(30)
  await expect(page.getByText(/^Showing 30 of/)).toBeVisible()
})

test('filters and order are in the address: a reload and a shared link show the same list', async ({ page, context }) => {
  await page.goto(ADDRESS)
  await expect(page.getByRole('article')).toHaveCount(30)
  await page.getByText('Refundable', { exact: true }).first().click()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('duration-asc')
  await expect(page).toHaveURL(/sort=duration-asc/)
  await expect(page).toHaveURL(/refundable=yes/)
  const shown = await page.getByRole('heading', { level: 2 }).first().innerText()
  await page.reload()
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(shown)
  const friend = await context.newPage()
  await friend.goto(page.url())
  await expect(friend.getByRole('combobox', { name: 'Sort by' })).toHaveValue('duration-asc')
  await expect(friend.getByRole('heading', { level: 2 }).first()).toHaveText(shown)
})

test('filters, counts and orders are of all offers, not of those that are loaded', async ({ page }) => {
  await page.goto(ADDRESS)
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(30)
  const heading = page.getByRole('heading', { level: 2 }).filter({ hasText: /flight/ })
  const total = Number(/\d+/.exec(await heading.innerText())?.[0])
  expect(total).toBeGreaterThan(100)
  const wide = await page.getByRole('complementary', { name: 'Filters' }).isVisible()
  if (!wide) await page.getByRole('button', { name: /^Filters/ }).click()
  const direct = page.getByRole('checkbox', { name: /^Direct/ })
  const promised = Number(/\d+/.exec(await direct.locator('xpath=..').innerText())?.[0])
  expect(promised).toBeGreaterThan(0)
  await direct.check()
  if (!wide) await page.getByRole('button', { name: /^Show/ }).click()
  await expect(heading).toHaveText(`${promised} flights of ${total}`)
  await expect(page.getByText(`Showing ${Math.min(30, promised)} of ${promised}`)).toBeVisible()
  await page.getByRole('button', { name: /^Fastest/ }).click()
  await expect(page).toHaveURL(/stops=0.*sort=duration-asc|sort=duration-asc.*stops=0/)
  await expect(page.getByRole('button', { name: /^Fastest/ })).toHaveAttribute('aria-pressed', 'true')
  await page
    .getByRole('button', { name: /Direct/ })
    .first()
    .click()
  await expect(heading).toHaveText(new RegExp(`^${total} flights`))
})

test('Load More Flights brings the focus to the first new offer, and the way back from an offer leads to where one was', async ({
  page,
}) => {
  await page.goto(`${ADDRESS}&sort=duration-asc`)
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(30)
  const known = await page.locator('article a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await page.getByRole('button', { name: 'Load More Flights' }).click()
  await expect(cards).toHaveCount(100, { timeout: 20_000 })
  const focused = () => page.evaluate<string | null>("document.activeElement?.getAttribute('href') ?? null")
  await expect.poll(focused).toMatch(/^\/flight\//)
  expect(known).not.toContain(await focused())

  const place = await page.evaluate<number>('window.scrollY')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/flight\//)
  await page.getByRole('link', { name: 'Back to Search Results' }).click()
  await expect(page).toHaveURL(/sort=duration-asc/)
  await expect(cards).toHaveCount(100)
  await expect.poll(() => page.evaluate<number>('window.scrollY')).toBeGreaterThan(place / 2)
})

test('R-53: the cancel question offers what the details said', async ({ page }) => {
  const place = (iata_code: string, city_name: string) => ({ name: city_name, iata_code, city_name, country_code: null, time_zone: null })
  const booking = (refund: string) => ({
    id: 'bk_1',
    status: 'confirmed',
    duffelBookingId: 'k7tm2pqx0123',
    charged: { amount: '100.00', currency: 'EUR' },
    cancellation: { refund: { amount: refund, currency: 'EUR' } },
    bookingData: {
      slices: [
        { id: 's', origin: place('CDG', 'Paris'), destination: place('FCO', 'Rome'), departure_time: '2027-03-04T08:00:00', segments: [] },
      ],
      passengers: [],
      conditions: { cancellation_options: [{ type: 'refund' }] },
    },
  })
  await signInWithTrips(page, [booking('80.00')])
  await page.route('**/api/bookings/bk_1', (route) => route.fulfill({ json: booking('20.00') }))
  await page.goto('/my-trips')
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await expect(page.getByRole('alertdialog').getByRole('button', { name: /^Cancel trip/ })).toHaveText(/20/)
})
