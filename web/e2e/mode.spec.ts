/** The switch between test and live, in a system of its own: it changes what every visitor sees. */
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { adminPassword, signInAsAdmin } from './administrator.ts'
import { day, enterCard, enterPassengers, openFirstOffer, payButton, resultsAddress, someone } from './traveller.ts'

test.skip(() => adminPassword() === null || Boolean(process.env.BASE_URL), 'the mode of a system that others use is left alone')

const liveMode = (page: Page) => page.getByRole('switch', { name: 'Live mode' })

test('ADM-06, ADM-07, ADM-09, ADM-13, ADM-14, R-67, R-69, R-70: the mode is switched while a visitor is in checkout', async ({
  page,
  browser,
  viewport,
}) => {
  const visitor = await (await browser.newContext({ viewport })).newPage()
  await visitor.goto(resultsAddress('CDG', 'LIS', day(61)))
  await openFirstOffer(visitor)
  await enterPassengers(visitor, [someone()])
  await visitor.getByRole('button', { name: 'Skip Seat Selection' }).click()
  await enterCard(visitor)

  await signInAsAdmin(page, '/admin-settings')
  await expect(page.getByText('Test mode').first()).toBeVisible()
  await liveMode(page).click()
  const question = page.getByRole('alertdialog', { name: 'Turn live mode on?' })
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Stay in test mode' }).click()
  await expect(question).toBeHidden()
  await expect(liveMode(page)).not.toBeChecked()

  await liveMode(page).click()
  await question.getByRole('button', { name: 'Turn live mode on' }).click()
  await expect(question.getByText('Please enter your password')).toBeVisible()
  await question.getByLabel('Your password').fill('not the password')
  await question.getByRole('button', { name: 'Turn live mode on' }).click()
  await expect(question.getByText('This password is not correct.')).toBeVisible()
  await expect(page.getByText('Authentication Failed')).toBeVisible()
  await question.getByLabel('Your password').fill(adminPassword() ?? '')
  const reloaded = page.waitForEvent('load')
  await question.getByRole('button', { name: 'Turn live mode on' }).click()
  await expect(page.getByText('Settings Updated')).toBeVisible()
  await reloaded
  await expect(liveMode(page)).toBeChecked()
  await expect(page.getByRole('heading', { name: 'Live mode turned on' }).first()).toBeVisible()
  await expect(page.getByText('Test mode')).toHaveCount(0)
  await expectAccessible(page)

  await payButton(visitor).click()
  await expect(visitor.getByText(/Flight Offer Expired|Offer No Longer Available/).first()).toBeVisible()
  await expectAccessible(visitor)

  const again = page.waitForEvent('load')
  await liveMode(page).click()
  await again
  await expect(liveMode(page)).not.toBeChecked()
  await expect(page.getByRole('heading', { name: 'Live mode turned off' }).first()).toBeVisible()
})
