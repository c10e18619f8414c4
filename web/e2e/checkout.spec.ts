/** Payments that are refused: nothing is charged, and the visitor is told why and what can be done. */
import { expect, test } from 'playwright/test'
import { CARD, confirmed, toPayment, watch } from './checkout.ts'
import { enterCard, enterPassengers, openOfferLike, outsideWorld, ownDay, payButton, resultsAddress, someone } from './traveller.ts'

test.skip(!outsideWorld, 'the ledgers cannot be reached')

test('PAY-13: a decline stays above the card number until the next attempt, also after a look at the seats', async ({ page }) => {
  await toPayment(page, 'WAW')
  await enterCard(page, '4000000000000002')
  await payButton(page).click()
  const alert = page.getByRole('form', { name: 'Card details' }).getByRole('alert')
  await expect(alert).toContainText('Your bank declined the card ending 0002. Nothing was charged; try another card.')
  await page.getByRole('button', { name: 'Back to Seat Selection' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Seat Selection' })).toBeVisible()
  // The toast was about the step before.
  await expect(page.getByText('Card Payment Failed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await expect(alert).toBeVisible()
  await enterCard(page)
  await payButton(page).click()
  await expect(alert).toHaveCount(0)
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
})

test('R-26: the same passengers from another browser are told that they are booked, with a link, and nothing is charged', async ({
  browser,
  page,
  request,
}) => {
  const ines = await toPayment(page, 'OSL')
  const address = page.url()
  const since = await watch(page, request, 'OSL')
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  const again = await (await browser.newContext()).newPage()
  await again.goto(address)
  await enterPassengers(again, [ines])
  await again.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(again)
  await payButton(again).click()
  const alert = again.getByRole('alert').filter({ hasText: 'These passengers are already booked on this flight' })
  await expect(alert).toContainText('Nothing was charged', { timeout: 30_000 })
  await expect(alert.getByRole('link', { name: /See the first booking/ })).toHaveAttribute('href', /\/my-trips\?booking=bk_/)
  expect(await since()).toMatchObject({ orders: 1, captured: 1 })

  const id = new URL((await alert.getByRole('link').getAttribute('href')) ?? '', address).searchParams.get('booking')
  await page.goto(`/my-trips?booking=${id}`)
  await expect(page.getByRole('dialog')).toContainText('Paris to')
})

test('too many declined cards: the visitor is told from when one can try again', async ({ page }) => {
  await toPayment(page, 'HEL')
  await page.route(CARD, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '1680' },
      json: {
        error: 'CARD_ATTEMPTS_STOPPED',
        message: 'Too many declined cards. Please try again in 28 minutes, or contact us.',
        requestId: 'r',
      },
    }),
  )
  await payButton(page).click()
  await expect(page.getByRole('form', { name: 'Card details' }).getByRole('alert')).toContainText(
    /Too many declined cards\. Nothing was charged\. You can try again at \d\d:\d\d\./,
  )
})

test('a seat that is lost at the order is named with its traveller, back at the seats', async ({ page, request }) => {
  await openOfferLike(
    page,
    resultsAddress('CDG', 'ARN', ownDay()),
    (offer) => offer.owner.iata_code === 'ZZ' && offer.slices[0]?.segments.length === 1,
  )
  await enterPassengers(page, [someone()])
  const free = page.getByRole('grid').getByRole('button').and(page.locator(':not([aria-disabled="true"])'))
  const seat = /^(\d+[A-Z])/.exec((await free.first().getAttribute('aria-label')) ?? '')?.[1] ?? ''
  await free.first().click()
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await enterCard(page)
  const since = await watch(page, request, 'ARN')
  const offer = new URL(page.url()).searchParams.get('offer') ?? ''
  await outsideWorld?.happen(request, { case: 'seat-taken', offerId: offer.replace('oft_', 'off_'), designator: seat, times: 1 })
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Seat Selection' })).toBeVisible({ timeout: 40_000 })
  await expect(page.getByRole('alert').filter({ hasText: `Seat ${seat} for Inès Moreau` })).toContainText('has just been taken')
  expect(await since()).toMatchObject({ orders: 0, captured: 0 })
})
