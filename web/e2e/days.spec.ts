/** Lowest prices by day: under the days of the calendar and over the results. */
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { day, pickAirport, resultsAddress } from './traveller.ts'

const WIDTHS = [
  { name: 'desktop', viewport: { width: 1280, height: 900 }, first: 80 },
  { name: 'phone', viewport: { width: 390, height: 844 }, first: 120 },
]

/** Searches a round trip of seven nights from each of these days. */
async function searchDays(page: Page, days: readonly string[], nights: (date: string) => string): Promise<void> {
  for (const departure of days) {
    const answer = await page.request.get(`/api/flights${resultsAddress('CDG', 'FCO', departure, { returnDate: nights(departure) })}`)
    expect(answer.ok()).toBe(true)
  }
}
const weekAfter = (date: string) => new Date(Date.parse(date) + 7 * 86_400_000).toISOString().slice(0, 10)
const long = (date: string) =>
  new Date(date).toLocaleDateString('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const short = (date: string) =>
  new Date(date).toLocaleDateString('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' })

for (const { name, viewport, first } of WIDTHS) {
  test.describe(name, () => {
    test.use({ viewport })

    test(`the results stand under seven days; a press on one searches that day for as many nights (${name})`, async ({ page }) => {
      const chosen = day(first)
      const known = day(first + 1)
      await searchDays(page, [known], weekAfter)
      await page.goto(resultsAddress('CDG', 'FCO', chosen, { returnDate: weekAfter(chosen) }))
      await expect(page.getByRole('article').first()).toBeVisible()
      const strip = page.getByRole('navigation', { name: /^Lowest price for 7 nights/ })
      const links = strip.getByRole('link')
      await expect(links).toHaveCount(7)
      await expect(strip.locator('[aria-current]')).toHaveText(new RegExp(`^${short(chosen)}.*[€$£]`))
      await expect(links.nth(4)).toHaveText(new RegExp(`^${short(known)}.*[€$£]`))
      await expect(links.nth(6)).toHaveText(`${short(day(first + 3))}See price`)
      const list = page.getByRole('button', { name: /^Cheapest/ })
      const lowest = /[€$£][\d,]+/.exec(await list.innerText())?.[0]
      await expect(strip.locator('[aria-current]')).toContainText(lowest ?? 'a price')
      await expectAccessible(page)

      await page.getByRole('button', { name: /^Best/ }).click()
      await links.nth(5).click()
      await expect(page).toHaveURL(new RegExp(`departureDate=${day(first + 2)}&returnDate=${weekAfter(day(first + 2))}.*&sort=best`))
      await expect(page.getByRole('button', { name: /^Best/ })).toHaveAttribute('aria-pressed', 'true')
      await expect(strip.locator('[aria-current]')).toHaveText(new RegExp(`^${short(day(first + 2))}.*[€$£]`))
      await expect(strip.locator('[aria-current]')).toBeFocused()
      await expect(strip.getByRole('link').nth(2)).toHaveText(new RegExp(`^${short(known)}.*[€$£]`))
    })

    test(`the calendar has the lowest price under each day that is known (${name})`, async ({ page }) => {
      const from = first + 15
      // Of one month, whatever the day on which this runs.
      const monthOf = (date: string) => date.slice(0, 7)
      const start = monthOf(day(from)) === monthOf(day(from + 2)) ? from : from + 5
      const days = [day(start), day(start + 1), day(start + 2)]
      await searchDays(page, days, weekAfter)
      await page.goto(resultsAddress('CDG', 'FCO', day(start), { returnDate: weekAfter(day(start)) }))
      await expect(page.getByRole('article').first()).toBeVisible()
      await page.getByRole('heading', { level: 1 }).getByRole('button').click()
      await page.getByRole('button', { name: /^Departure/ }).click()
      const calendar = page.getByRole('dialog', { name: 'Choose dates' })
      for (const date of days)
        await expect(calendar.getByRole('button', { name: new RegExp(`^${long(date)}.*, [€$£][\\d,]+`) })).toBeVisible()
      await expect(calendar.getByRole('button', { name: /lowest price$/ }).first()).toBeVisible()
      await expect(calendar.getByRole('button', { name: new RegExp(`^${long(day(start + 4))}(, selected)?$`) })).toHaveCount(1)
      await expectAccessible(page)
      await calendar.getByRole('button', { name: new RegExp(`^${long(days[1] ?? '')}`) }).click()
      await expect(calendar.getByRole('button', { name: /[€$£]/ })).toHaveCount(0)
    })
  })
}

test('the calendar of the home page asks for no prices while no route is chosen', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/flights/calendar') && asked.push(request.url())))
  await page.goto('/')
  await page.getByRole('button', { name: /^Departure/ }).click()
  await expect(page.getByRole('grid').first()).toBeVisible()
  expect(asked).toEqual([])
  await page.keyboard.press('Escape')
  await pickAirport(page, 'From', 'paris', 'CDG')
  await pickAirport(page, 'To', 'rome', 'FCO')
  const answer = page.waitForResponse(/\/api\/flights\/calendar/)
  await page.getByRole('button', { name: /^Departure/ }).click()
  expect((await answer).status()).toBe(200)
})
