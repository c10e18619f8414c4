/** The partner page: its widget, and the advertiser's tag. */
import { expect, type Page, type Route, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { adminPassword, freshHost, publishedBrand, siteOn } from './administrator.ts'
import { chooseDeparture, pickAirport } from './traveller.ts'

test('journey WIDG-04, WIDG-07, WIDG-08, WIDG-09, WIDG-10, R-03: flights are searched with the widget of the partner page', async ({
  page,
}) => {
  await page.goto('/expedia')
  await expect(page).toHaveTitle(/book your flight by phone/)
  await pickAirport(page, 'From', 'Paris', 'CDG')
  await pickAirport(page, 'To', 'Lisbon', 'LIS')
  await page.getByRole('button', { name: /^Passengers/ }).click()
  await page.getByRole('button', { name: 'More adults' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: /^Passengers/ })).toContainText('2 adults')

  await page.getByText('Multi-City', { exact: true }).click()
  await expect(page.getByRole('main').getByText(/Please call our travel experts/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Search Flights' })).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lastTripType'))).toBe('multi-city')
  await expectAccessible(page)

  await page.getByText('One Way', { exact: true }).click()
  await expect(page.getByText(/Please use the main search form/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Return/ })).toBeDisabled()
  await page.getByText('Round Trip', { exact: true }).click()
  await page.getByText('Business', { exact: true }).click()
  await chooseDeparture(page)
  const returns = page.getByRole('dialog').getByRole('button', { name: /\b2[2-6]\w*,/ })
  await returns.first().click()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Search Flights' }).click()
  await expect(page).toHaveURL(
    /\/search\?origin=CDG&destination=LIS&departureDate=[\d-]+&returnDate=[\d-]+&cabinClass=business&adultsCount=2/,
  )
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAccessible(page)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('lastTripType'))).toBe('round-trip')
})

/** What the page asks of other servers than its own. */
function callsElsewhere(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    if (!/localhost$/.test(new URL(request.url()).hostname)) calls.push(request.url())
  })
  return calls
}

test('STAT-06, R-79, R-102: nothing of the advertiser is loaded and nobody is asked without a conversion id', async ({ page }) => {
  const elsewhere = callsElsewhere(page)
  await page.goto('/expedia')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('May we count this call?')).toHaveCount(0)
  expect(elsewhere).toEqual([])
})

test('PART-08, R-79, R-102: with an id the tag is loaded after the visitor has agreed, reports a pressed phone link and lets it dial', async ({
  page,
  browser,
  baseURL,
}) => {
  test.skip(adminPassword() === null, 'the administrator’s password is not known')
  const host = freshHost()
  await publishedBrand(page, host, ({ content }) => ({ content: { ...content, conversionId: 'AW-123/label-1' } }))
  const site = siteOn(host, baseURL)
  const open = async () => {
    const visitor = await (await browser.newContext({ baseURL: site })).newPage()
    const elsewhere = callsElsewhere(visitor)
    const complaints: string[] = []
    visitor.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    // The advertiser's script answers a report at once, as the real one does, and keeps it where the test can read it.
    const script = `window.reports = []; window.dataLayer.push = (command) => { if (command[0] === 'event') { reports.push(command[2].send_to); command[2].event_callback() } }`
    const answer = (route: Route) => route.fulfill({ contentType: 'text/javascript', body: script })
    await visitor.route('https://www.googletagmanager.com/**', answer)
    await visitor.goto('/expedia')
    await expect(visitor).toHaveTitle(/^Rivage/)
    return { visitor, elsewhere, complaints, question: visitor.getByRole('region', { name: 'May we count this call?' }) }
  }

  const refusing = await open()
  await expect(refusing.question).toBeVisible()
  await expectAccessible(refusing.visitor)
  expect(refusing.elsewhere).toEqual([])
  await refusing.question.getByRole('button', { name: 'Refuse' }).click()
  await refusing.visitor.reload()
  await expect(refusing.visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(refusing.question).toHaveCount(0)
  expect(refusing.elsewhere).toEqual([])

  const agreeing = await open()
  const loaded = agreeing.visitor.waitForResponse(/googletagmanager/)
  await agreeing.question.getByRole('button', { name: 'Agree' }).click()
  await loaded
  expect(agreeing.elsewhere).toEqual(['https://www.googletagmanager.com/gtag/js?id=AW-123'])
  await expect.poll(() => agreeing.visitor.evaluate('window.reports')).toEqual([])
  await agreeing.visitor.getByRole('main').getByRole('link', { name: /^\+33/ }).first().click()
  await expect.poll(() => agreeing.visitor.evaluate('window.reports')).toEqual(['AW-123/label-1'])
  expect(agreeing.complaints).toEqual([])
})
