import { expect, test } from 'playwright/test'
import {
  chooseDeparture,
  enterCard,
  enterPassengers,
  openFirstOffer,
  openOfferLike,
  outsideWorld,
  ownDay,
  payButton,
  pickAirport,
  resultsAddress,
  someone,
} from './traveller.ts'

const cents = (price: string) => Number(price.replace(/[^\d]/g, '')) * 100

test('journey GEN-01: from the home page to a confirmation, an account, the signed-in header, the trip, the mail and the ledgers', async ({
  page,
  request,
}) => {
  const ines = someone()
  await page.goto('/')
  await pickAirport(page, 'From', 'Paris', 'CDG')
  await pickAirport(page, 'To', 'Lisbon', 'LIS')
  await page.getByText('One Way', { exact: true }).first().click()
  await chooseDeparture(page)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Search Flights' }).click()
  await expect(page).toHaveURL(/\/search\?.*origin=CDG.*destination=LIS/)

  const price = await openFirstOffer(page)
  await enterPassengers(page, [ines])
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await expect(payButton(page)).toHaveText(new RegExp(`Pay ${price.replace('$', '\\$')}`))
  await payButton(page).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
  const text = await page.getByRole('main').innerText()
  const reference = /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(text)?.[0] ?? ''
  expect(reference).toHaveLength(8)
  expect(text).toContain(price)
  await expect(page.getByRole('heading', { name: 'We opened an account for you' })).toBeVisible()
  await expect(page.getByText(ines.email).first()).toBeVisible()

  // CONF-07, CONF-11: the reference survives a reload, the password does not.
  await page.reload()
  await expect(page.getByText(reference).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'We opened an account for you' })).toHaveCount(0)

  await page.getByRole('link', { name: 'View My Trips' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Trips' })).toBeVisible()
  await expect(page.getByText(reference)).toBeVisible()
  await expect(page.getByText(price, { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Confirmed').first()).toBeVisible()

  const world = outsideWorld
  if (!world) return
  const mails = async () => (await world.mails(request, ines.email)).filter((mail) => mail.subject.startsWith('Booking confirmed'))
  await expect.poll(async () => (await mails()).length).toBe(1)
  expect((await mails())[0]?.text).toContain(reference)
  expect((await mails())[0]?.text).toContain(price)
  const orders = (await world.orders(request)).filter((order) => order.metadata.reference === reference)
  expect(orders).toHaveLength(1)
  const captured = (await world.intents(request)).filter((intent) => intent.status === 'succeeded' && intent.captured === cents(price))
  expect(captured.length).toBeGreaterThan(0)
})

test('journey SEAT-05, SEAT-07, SEAT-13: two adults choose seats, the total grows, and that is what is paid', async ({ page }) => {
  await openOfferLike(
    page,
    resultsAddress('CDG', 'LIS', ownDay(), { adultsCount: '2' }),
    (offer) => offer.owner.iata_code === 'ZZ' && offer.slices[0]?.segments.length === 1,
  )
  await enterPassengers(page, [someone(), { first: 'Claire', last: 'Moreau', born: '1990-01-20' }])
  await expect(page.getByRole('grid').first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Please select seats for all passengers').first()).toBeVisible()
  const free = page.getByRole('grid').getByRole('button').and(page.locator(':not([aria-disabled="true"])'))
  for (let i = 0; i < 2; i++) {
    await free.nth(i * 2).click()
    await expect(page.getByText('Seat Selected').first()).toBeVisible()
  }
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await enterCard(page)
  const total = /[€$£¥][\d,]+/.exec(await payButton(page).innerText())?.[0] ?? ''
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText(total).first()).toBeVisible()
})
