/** The four steps of a booking, each with what it shows, where it leads and what it keeps. */
import { expect, type Page, test } from 'playwright/test'
import { BOOKINGS, confirmed } from './checkout.ts'
import { enterCard, enterPassengers, fillPassengers, openOfferLike, ownDay, payButton, resultsAddress, someone } from './traveller.ts'

const CHECK = '**/api/flights/verify-offer/*'
const SEAT_MAPS = '**/api/flights/seatmaps/*'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const summary = (page: Page) => page.getByRole('complementary', { name: 'Flight Summary and total price' })
const amount = (text: string) => Number(text.replace(/[^\d]/g, ''))
const refusal = (error: string, message: string) => ({ error, message, requestId: 'r' })

test('the form of the passengers: what is missing, what is typed, and the check before it is sent', async ({ page }) => {
  await openOfferLike(page, resultsAddress('CDG', 'JFK', ownDay()), () => true)
  const submit = button(page, 'Continue to Seat Selection')

  await test.step('PAX-15: what is missing is told in one message', async () => {
    await submit.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Please complete all required passenger information' })).toContainText(
      'Please complete all required passenger information before continuing.',
    )
    await expect(heading(page, 'Passenger Information')).toBeVisible()
  })

  await test.step('PAX-23: the passport number loses its spaces and small letters', async () => {
    const number = page.getByLabel(/^Passport number/)
    await number.pressSequentially('19 kl 56')
    await expect(number).toHaveValue('19KL56')
  })

  await test.step('PAX-32: the form waits for the check of the offer', async () => {
    const answer = Promise.withResolvers<void>()
    await fillPassengers(page, [someone()])
    await page.route(CHECK, async (route) => {
      await answer.promise
      await route.continue()
    })
    await submit.click()
    await expect(button(page, 'Checking the offer')).toBeVisible()
    await expect(heading(page, 'Passenger Information')).toBeVisible()
    answer.resolve()
    await expect(heading(page, 'Seat Selection')).toBeVisible()
  })

  await test.step('OFFER-12, R-28: a check that fails is told, does not let on, and leaves the form usable', async () => {
    await page.unrouteAll({ behavior: 'wait' })
    await page.route(CHECK, (route) => route.fulfill({ status: 503, json: refusal('UPSTREAM_UNAVAILABLE', 'Please try again.') }))
    await button(page, 'Back').click()
    await submit.click()
    await expect(page.getByText('Offer Validation Failed')).toBeVisible()
    await expect(page.getByText('Unable to verify offer validity...')).toBeVisible()
    await expect(heading(page, 'Passenger Information')).toBeVisible()
    await expect(submit).toBeEnabled()
  })

  await test.step('PAX-33: an offer that is over cannot be booked any more', async () => {
    await page.route(CHECK, (route) => route.fulfill({ status: 410, json: refusal('OFFER_EXPIRED', 'Gone.') }))
    await submit.click()
    await expect(page.getByRole('alert').filter({ hasText: 'This flight offer has expired.' })).toBeVisible()
    await expect(button(page, 'Offer Expired')).toBeDisabled()
    await expect(submit).toHaveCount(0)
  })
})

test('BOOK-07, R-99: seat maps that fail, or are empty, are told once and lead on to the payment', async ({ page }) => {
  await openOfferLike(page, resultsAddress('CDG', 'NCE', ownDay()), () => true)
  const address = page.url()
  const told = page.getByRole('region', { name: /^Notifications/ }).getByText('Seat Selection Unavailable')
  for (const answer of [{ status: 502, body: '' }, { json: { data: [] } }]) {
    await page.goto(address)
    await page.route(SEAT_MAPS, (route) => route.fulfill(answer))
    await enterPassengers(page, [someone()])
    await expect(told).toBeVisible()
    await button(page, 'Continue to Payment').click()
    await expect(heading(page, 'Payment')).toBeVisible()
    await button(page, 'Back to Seat Selection').click()
    await expect(page.getByText('Seat selection is not available for these flights')).toBeVisible()
    await expect(button(page, 'Continue to Payment')).toBeEnabled()
    await expect(told).toHaveCount(0)
    await page.unroute(SEAT_MAPS)
  }
})

test('from the passengers to the confirmation and back again', async ({ page, context }) => {
  const ines = someone()
  await openOfferLike(
    page,
    resultsAddress('CDG', 'NCE', ownDay()),
    (offer) => offer.owner.iata_code === 'ZZ' && offer.slices[0]?.segments.length === 1,
  )
  const total = async () =>
    amount(
      await summary(page)
        .getByText(/^[€$£¥][\d,]+$/)
        .last()
        .innerText(),
    )
  const fare = await total()

  await test.step('R-40: skipping the passport clears what was typed of it', async () => {
    await fillPassengers(page, [ines])
    await expect(page.getByLabel(/^Passport number/)).toHaveValue('19KL56140')
    await button(page, 'Skip Passport Info').click()
    await expect(heading(page, 'Seat Selection')).toBeVisible()
    await button(page, 'Back').click()
    await page.getByRole('button', { name: /^Edit/ }).click()
    await expect(page.getByLabel('First name', { exact: true })).toHaveValue(ines.first)
    await expect(page.getByLabel(/^Passport number/)).toHaveValue('')
    await button(page, 'Continue to Seat Selection').click()
  })

  await test.step('SEAT-10, BOOK-06: skipping the seats leads to the payment of the fare alone', async () => {
    await expect(summary(page)).toContainText('Flight Summary')
    await button(page, 'Skip Seat Selection').click()
    await expect(heading(page, 'Payment')).toBeVisible()
    expect(amount(await payButton(page).innerText())).toBe(fare)
  })

  const seats = page.getByRole('grid').getByRole('button').and(page.locator(':not([aria-disabled="true"])'))
  await test.step('BOOK-06: with a seat for everybody Continue to Payment leads on, and the total has the seat in it', async () => {
    await button(page, 'Back to Seat Selection').click()
    await expect(heading(page, 'Seat Selection')).toBeVisible()
    await button(page, 'Continue to Payment').click()
    await expect(page.getByText('Please select seats for all passengers')).toBeVisible()
    await expect(heading(page, 'Seat Selection')).toBeVisible()
    await seats.first().click()
    await expect(page.getByText('Seat Selected')).toBeVisible()
    await button(page, 'Continue to Payment').click()
    await expect(heading(page, 'Payment')).toBeVisible()
  })

  const withSeat = amount(await payButton(page).innerText())
  await test.step('BOOK-09, BOOK-10, BOOK-02: a step back keeps passengers and seats, and every step has flights and total', async () => {
    expect(withSeat).toBe(await total())
    for (const [back, step] of [
      ['Back to Seat Selection', 'Seat Selection'],
      ['Back', 'Passenger Information'],
    ] as const) {
      await button(page, back).click()
      await expect(heading(page, step)).toBeVisible()
      await expect(summary(page)).toContainText(/Flight Summary.*CDG.*NCE.*Total/s)
      expect(await total()).toBe(withSeat)
    }
    await expect(page.getByRole('heading', { level: 2, name: new RegExp(`^${ines.first} ${ines.last}`) })).toBeVisible()
    await button(page, 'Continue to Seat Selection').click()
    await expect(page.getByText('1 of 1 seated').first()).toBeVisible()
    await button(page, 'Continue to Payment').click()
    await expect(heading(page, 'Payment')).toBeVisible()
    expect(amount(await payButton(page).innerText())).toBe(withSeat)
    await page.goBack()
    await expect(heading(page, 'Seat Selection')).toBeVisible()
    await page.goForward()
    await expect(heading(page, 'Payment')).toBeVisible()
  })

  const toasts = page.getByRole('region', { name: /^Notifications/ })
  await test.step('BOOK-08: only a booking that has succeeded leads to the confirmation', async () => {
    const answer = Promise.withResolvers<void>()
    await page.route(BOOKINGS, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch()
      await answer.promise
      await route.fulfill({ response })
    })
    await enterCard(page)
    const booked = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/api/bookings'))
    await payButton(page).click()
    await booked
    await expect(heading(page, 'Payment')).toBeVisible()
    await expect(confirmed(page)).toHaveCount(0)
    answer.resolve()
    await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
    await page.unrouteAll({ behavior: 'wait' })
  })

  await test.step('CONF-03, CONF-09, R-94, R-108: the toast of the booking comes first, that of the account after it', async () => {
    await expect(toasts).toContainText('Booking confirmed!')
    await expect(toasts).not.toContainText('Account created!')
    await expect(heading(page, 'Booking Confirmed')).toBeVisible()
    await toasts.getByRole('button', { name: 'Dismiss: Booking confirmed!' }).click()
    await expect(toasts).toContainText('Account created!')
  })

  const main = page.getByRole('main')
  const value = (label: string) =>
    main
      .locator('dl > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('dd')
      .first()
  const reference = /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(await main.getByRole('region', { name: 'Flight Summary' }).innerText())?.[0] ?? ''
  await test.step('CONF-01, BOOK-02: the reference of eight characters stands beside flights and total', async () => {
    const pass = main.getByRole('region', { name: 'Flight Summary' })
    await expect(pass).toContainText(/CDG.*NCE.*Booking reference/s)
    expect(reference).toMatch(/^[0-9A-Z]{8}$/)
    expect(amount(await pass.getByText(/^[€$£¥][\d,]+$/).innerText())).toBe(withSeat)
  })

  const password = await value('Password').innerText()
  await test.step('CONF-04: the new account is shown with its username, password and e-mail', async () => {
    await expect(main.getByRole('heading', { name: 'We opened an account for you' })).toBeVisible()
    await expect(value('Email')).toHaveText(ines.email)
    await expect(value('Username')).not.toBeEmpty()
    expect(password).toMatch(/^\S{12,}$/)
  })

  await test.step('CONF-06: what is copied is said, and is in the clipboard', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const [name, copied] of [
      ['Copy booking reference', reference],
      ['Copy password', password],
    ] as const) {
      await page.evaluate("navigator.clipboard.writeText('')")
      await main.getByRole('button', { name }).click()
      await expect(toasts).toContainText('Copied to clipboard')
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied)
      await toasts.getByRole('button', { name: 'Dismiss: Copied to clipboard' }).click()
    }
  })

  await test.step('R-47, CONF-12: the preview of the e-mail has the reference, and neither password nor markup', async () => {
    const preview = main.getByRole('group').filter({ hasText: 'The e-mail we send you' })
    await preview.getByText('The e-mail we send you').click()
    await expect(preview).toContainText(reference)
    expect(await preview.innerText()).not.toContain(password)
    expect(await preview.innerText()).not.toMatch(/<[a-z]/i)
  })

  await test.step('HEAD-11, R-107: the header knows the new user without a reload', async () => {
    await expect(page.getByRole('banner').getByRole('button', { name: /Account: / })).toContainText(ines.first)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log In' })).toHaveCount(0)
  })

  await test.step('BOOK-12: the ways on', async () => {
    await expect(main.getByRole('link', { name: 'View My Trips' })).toHaveAttribute('href', '/my-trips')
    await expect(main.getByRole('link', { name: 'Book Another Flight' })).toHaveAttribute('href', '/')
  })

  await test.step('CONF-07, BOOK-11, R-96: a reload keeps the reference and has no password any more', async () => {
    await page.reload()
    await expect(heading(page, 'Booking Confirmed')).toBeVisible()
    await expect(main.getByRole('region', { name: 'Flight Summary' })).toContainText(reference)
    await expect(main.getByRole('heading', { name: 'We opened an account for you' })).toHaveCount(0)
    expect(await page.content()).not.toContain(password)
  })

  await test.step('BOOK-10, R-95: Back leaves the booking', async () => {
    await page.goBack()
    await expect(page).not.toHaveURL(/\/booking/)
  })
})
