/** A frequent flyer number from the form to the airline, and what of it the traveller sees again. */
import { expect, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { confirmed } from './checkout.ts'
import { enterCard, fillPassengers, openOfferLike, outsideWorld, ownDay, payButton, resultsAddress, someone } from './traveller.ts'

const NUMBER = 'AB1098765'

test('journey: a frequent flyer number is asked for with its airline, goes to the airline, and is shown by its end', async ({
  page,
  request,
}) => {
  await openOfferLike(page, resultsAddress('CDG', 'TLS', ownDay()), ({ owner }) => owner.iata_code === 'ZZ')
  await fillPassengers(page, [someone()])
  const airline = page.getByLabel(/^Airline of the programme/)
  const number = page.getByLabel(/^Frequent flyer number/)
  const submit = page.getByRole('button', { name: 'Continue to Seat Selection' })

  await test.step('a number without its airline is not enough', async () => {
    await number.fill('ab 1098-765')
    await submit.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Choose the airline of the frequent flyer number' })).toBeVisible()
    await expect(airline).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page, 'frequent flyer')
  })

  await test.step('the airlines whose numbers are taken are named', async () => {
    expect(await airline.getByRole('option').allInnerTexts()).toEqual(['Choose', 'Duffel Airways (ZZ)'])
    await airline.selectOption('ZZ')
    await submit.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Seat Selection' })).toBeVisible()
  })

  await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(page)
  await payButton(page).click()
  await expect(confirmed(page)).toBeVisible({ timeout: 40_000 })
  const pass = page.getByRole('main').getByRole('region', { name: 'Flight Summary' })
  const reference = /\b[0-9A-HJKMNP-TV-Z]{8}\b/.exec(await pass.innerText())?.[0]

  await test.step('the airline has it with the order', async () => {
    const order = (await outsideWorld?.orders(request))?.find(({ metadata }) => metadata.reference === reference)
    if (outsideWorld) expect(order?.loyalty_programme_accounts).toEqual([{ airline_iata_code: 'ZZ', account_number: NUMBER }])
  })

  await test.step('the trip shows its airline and its end, and nothing else of it', async () => {
    await page.goto('/my-trips')
    const read = page.waitForResponse((answer) => /\/api\/bookings\/bk_[^/]+$/.test(answer.url()))
    await page
      .getByRole('button', { name: /^View Details/ })
      .first()
      .click()
    const details = page.getByRole('dialog')
    await expect(details).toContainText('Frequent flyer number: ZZ ending 765')
    expect(await (await read).text()).not.toContain(NUMBER)
    await expectAccessible(page, 'trip', '[role=dialog]')
  })
})
