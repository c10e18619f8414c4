/** What makes the website easy to use, on a phone and by keyboard. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'playwright/test'
import { booking } from '../src/features/booking/model/booking.fixture.ts'
import { signInWithTrips } from './signed-in-page.ts'
import { day, enterPassengers, openOfferLike, ownDay, pickAirport, resultsAddress, someone } from './traveller.ts'

const PHONE = { width: 390, height: 844 }

test('RES-09: the search is changed in its place by its summary, while Modify Search leads home', async ({ page }) => {
  await page.goto(resultsAddress('CDG', 'LIS', day(64)))
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Modify Search' })).toHaveAttribute('href', '/')
  const summary = page.getByRole('heading', { level: 1 }).getByRole('button')
  await summary.click()
  await expect(summary).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('combobox', { name: 'From' })).toHaveValue('Paris (CDG)')
  await pickAirport(page, 'To', 'Rome', 'FCO')
  await page.getByRole('button', { name: 'Search Flights' }).click()
  await expect(page).toHaveURL(/destination=FCO/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rome FCO')
  await expect(summary).toBeFocused()
  await expect(summary).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('AIR-08: all airports of a city are one choice, and are searched together', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'From' }).fill('paris')
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options.first()).toContainText('All airports')
  await expect(options.nth(1)).toContainText('CDG')
  await page.goto(resultsAddress('PAR', 'LIS', day(65)))
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Paris PAR')
})

test('FORM-21, FORM-22: on a phone a refused search shows its messages before any sheet', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await page.goto('/')
  await page.getByRole('button', { name: 'Search Flights' }).click()
  await expect(page.getByText('Please select an origin airport')).toBeInViewport()
  await expect(page.getByText('Please select a destination airport')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Close' })).toHaveCount(0)
})

test('on a phone the seat map keeps in view who is being seated, how many are, and the way on', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openOfferLike(page, resultsAddress('CDG', 'MAD', ownDay()), ({ slices }) => slices.every(({ segments }) => segments.length === 1))
  await enterPassengers(page, [someone()])
  const seats = page.getByRole('region', { name: 'Seats' })
  await expect(seats.getByText('Choosing a seat for')).toBeVisible()
  for (const row of ['first', 'last'] as const) {
    await seats.getByRole('row')[row]().scrollIntoViewIfNeeded()
    await expect(page.getByText(/^Choosing for/)).toBeInViewport()
    await expect(page.getByText('0 of 1 seated').last()).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Continue to Payment' })).toBeInViewport()
  }
})

test('a link leads past the filters to the flights', async ({ page }) => {
  await page.goto(resultsAddress('CDG', 'LIS', day(64)))
  await expect(page.getByRole('article').first()).toBeVisible()
  const link = page.getByRole('link', { name: 'Skip the filters' })
  await link.focus()
  await expect(link).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toBeFocused()
})

test('TRIPS-13: the details of a trip have each flight with its day and its seats, and a calendar file', async ({ page }) => {
  await signInWithTrips(page, [booking])
  await page.route('**/api/bookings/bk_1', (route) => route.fulfill({ json: booking }))
  await page.goto('/my-trips')
  await page.getByRole('button', { name: /^View Details/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Seat 24A')
  await expect(dialog).toContainText('7h 15m, arrives +1 day')
  await expect(dialog.getByRole('list', { name: 'Return flights' })).toContainText('07:40Dec 18')
  await expect(dialog).toContainText('Card ending 4242')
  await expect(dialog).toContainText('Yes, write to us first')
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Add to calendar' }).click()])
  expect(file.suggestedFilename()).toBe('7KQX2M9D.ics')
  expect((await readFile(await file.path(), 'utf8')).match(/BEGIN:VEVENT/g)).toHaveLength(3)
})

test('BRAND-13: mark, headline, example of a fare and favicon are those of the brand', async ({ page }) => {
  await page.goto('/?brand=atlas.example')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The long way, made short.')
  await expect(page.getByRole('figure', { name: 'Example of a fare' })).toContainText('€538')
  const mark = page.getByRole('banner').locator('img[src="/marks/atlas.svg"]')
  await expect(mark).toBeVisible()
  await expect.poll(() => mark.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBeGreaterThan(0)
  const favicon = await page.request.get('/favicon.svg')
  expect(await favicon.text()).toContain('#a8452a')
  await page.goto('/?brand=default')
  expect(await (await page.request.get('/favicon.svg')).text()).toContain('#0f766e')
})
