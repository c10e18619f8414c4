/** The pages of reading and help, for a visitor who is not signed in. */
import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './accessible.ts'
import { outsideWorld, someone } from './traveller.ts'

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

test('STAT-03: the list of contents leads to a section, also from an address', async ({ page }) => {
  await open(page, '/terms#law')
  await expect(page.getByRole('heading', { name: 'Complaints and law' })).toBeInViewport()
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Prices' }).click()
  await expect(page.getByRole('heading', { name: 'Prices' })).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Prices' })).toBeFocused()
  await expect(page).toHaveURL(/\/terms#price$/)
})

test('FAQ-02, FAQ-03, FAQ-04, FAQ-05, R-61: questions by address, one open at a time, and the search', async ({ page }) => {
  await open(page, '/faq#refund-time')
  await expect(page.getByRole('tab', { name: 'Cancellations' })).toHaveAttribute('aria-selected', 'true')
  const refund = page.locator('#refund-time')
  await expect(refund).toHaveAttribute('open')
  await expect(refund).toBeInViewport()
  await page.getByText('Is the service fee refunded?').click()
  await expect(page.locator('#service-fee')).toHaveAttribute('open')
  await expect(refund).not.toHaveAttribute('open')
  await page.getByText('Is the service fee refunded?').click()
  await expect(page.locator('#service-fee')).not.toHaveAttribute('open')

  await page.getByRole('tab', { name: 'Travel' }).click()
  await expect(page.getByText('When should I be at the airport?')).toBeVisible()
  await expect(page).toHaveURL(/topic=travel/)

  const search = page.getByRole('searchbox', { name: 'Search the questions' })
  await search.fill('PASSPORT')
  await search.press('Enter')
  await expect(page.getByText(/answers for “PASSPORT”/)).toBeVisible()
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Changes',
    'Travel',
    'Account',
    'Not found what you need?',
  ])
  await search.fill('zeppelin')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText(/Nothing matches “zeppelin”/)).toBeVisible()
  await page.getByRole('button', { name: 'Show all topics' }).click()
  await expect(page.getByRole('tab')).toHaveCount(6)
})

test('SUPP-01, SUPP-02, SUPP-07, R-61: the help centre searches and leads to topics', async ({ page }) => {
  await open(page, '/support')
  await page.getByRole('link', { name: /Cancelling and refunds/ }).click()
  await expect(page.getByRole('tab', { name: 'Cancellations' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await page.getByRole('searchbox').fill('baby')
  await page.getByRole('searchbox').press('Enter')
  await expect(page).toHaveURL(/\/faq\?q=baby/)
  await expect(page.getByText('How do I travel with a baby or a child?')).toBeVisible()
})

test('SUPP-06, R-50: a reference that does not exist is answered in general words', async ({ page }) => {
  await open(page, '/support')
  const form = page.getByRole('form', { name: 'Retrieve Booking' })
  await form.getByRole('button', { name: 'Retrieve Booking' }).click()
  await expect(form.getByText('Please enter your booking reference')).toBeVisible()
  await form.getByLabel('Booking reference').fill('00000000')
  await form.getByLabel('Email').fill('nobody@example.org')
  await form.getByRole('button', { name: 'Retrieve Booking' }).click()
  await expect(form.getByRole('alert')).toContainText('We could not find that booking.')
})

async function writeMessage(page: Page, email = 'ines@example.org'): Promise<void> {
  await page.getByLabel('First name').fill('Inès')
  await page.getByLabel('Last name').fill('Moreau')
  await page.getByRole('main').getByLabel('Email', { exact: true }).first().fill(email)
  await page.getByLabel('Inquiry type').selectOption('group')
  await page.getByRole('textbox', { name: 'Message' }).fill('We are twelve and would like to fly to Lisbon.')
  await page.getByLabel(/I agree that my details/).check()
}

test('CONT-02, CONT-07, CONT-08, R-62: the contact form says what is missing, keeps what was refused and tells when to try again', async ({
  page,
}) => {
  await open(page, '/contact')
  const send = page.getByRole('button', { name: 'Send message' })
  await send.click()
  for (const message of [
    'First name is required',
    'Please enter a valid email address',
    'Please choose what your message is about',
    'Please enter your message',
    'Please agree to the privacy policy',
  ])
    await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()
  await writeMessage(page)
  await page.getByRole('radio', { name: 'Phone' }).check()
  await send.click()
  await expect(page.getByText('Please enter the phone number that we may call')).toBeVisible()
  await page.getByRole('radio', { name: 'Email' }).check()

  const refusal = { error: 'RATE_LIMITED', message: 'Too many requests.', requestId: 'r' }
  await page.route('**/api/contact', (route) => route.fulfill({ status: 429, json: refusal, headers: { 'retry-after': '600' } }), {
    times: 1,
  })
  await send.click()
  await expect(page.getByRole('alert')).toContainText('Another one can be sent in 10 minutes.')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(/twelve/)
})

test('journey CONT-07, SUPP-04, R-62: messages of both forms are stored, acknowledged on the screen and by mail, and the forms are empty again', async ({
  page,
  request,
}) => {
  const { email } = someone()
  await open(page, '/contact')
  await writeMessage(page, email)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Message sent')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')
  await expect(page.getByLabel(/I agree that my details/)).not.toBeChecked()

  await open(page, '/support?tab=contact')
  await page.getByLabel('Full name').fill('Inès Moreau')
  await page.getByRole('main').getByLabel('Email', { exact: true }).first().fill(email)
  await page.getByLabel('Subject').fill('A question about bags')
  await page.getByRole('textbox', { name: 'Message' }).fill('May I bring a violin?')
  await page.getByRole('button', { name: 'Submit Request' }).click()
  await expect(page.getByText('Message sent')).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByLabel('Subject')).toHaveValue('')

  const world = outsideWorld
  if (!world) return
  await expect.poll(async () => (await world.mails(request, email)).length).toBe(2)
})
