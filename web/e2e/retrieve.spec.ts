/** A booking is found again without an account. */
import { expect, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { someone } from './traveller.ts'
import { bookingOf, call, offerOf, pay, visitor } from './visitor.ts'

test('journey SUPP-05, SUPP-06, R-50: a booking is found with its reference and e-mail, by somebody else’s browser, and with no document in it', async ({
  page,
  browser,
}) => {
  const { page: earlier } = await visitor(browser)
  const { email } = someone()
  const offer = await offerOf(earlier)
  const { paymentId } = (await pay(earlier, offer)).body
  const { status, body } = await call(earlier, 'POST', '/api/bookings', bookingOf(offer, email, { paymentId }))
  expect(status).toBe(201)
  const reference = String(body.bookingReference)

  await page.goto('/support?tab=bookings')
  const form = page.getByRole('form', { name: 'Retrieve Booking' })
  await form.getByLabel('Booking reference').fill(reference)
  await form.getByLabel('Email').fill(`not.${email}`)
  await form.getByRole('button', { name: 'Retrieve Booking' }).click()
  await expect(form.getByRole('alert')).toContainText('We could not find that booking.')
  await expectAccessible(page)

  await form.getByLabel('Booking reference').fill(` ${reference.toLowerCase()} `)
  await form.getByLabel('Email').fill(email.toUpperCase())
  await form.getByRole('button', { name: 'Retrieve Booking' }).click()
  const found = page.getByRole('region', { name: 'Paris to Lisbon' })
  await expect(found.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(found).toContainText(reference)
  await expect(found).toContainText('Confirmed')
  await expect(found).toContainText(/Ines Moreau/i)
  await expect(found).not.toContainText('19KL56147')
  await expectAccessible(page)
  await found.getByRole('button', { name: 'Look for another booking' }).click()
  await expect(form.getByLabel('Booking reference')).toHaveValue('')
})
