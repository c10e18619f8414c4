/** Every screen and every overlay of travellers, on a phone and on a wide page; administration's stand beside what it does. */
import { expect, type Page, test } from 'playwright/test'
import { booking } from '../src/features/booking/model/booking.fixture.ts'
import { receipt } from '../src/features/receipt/receipt.fixture.ts'
import { expectAccessible } from './accessible.ts'
import { signInWithTrips } from './signed-in-page.ts'
import { day, enterCard, enterPassengers, logIn, openFirstOffer, payButton, registered, resultsAddress, someone } from './traveller.ts'

const PHONE = 390
const RESULTS = resultsAddress('CDG', 'JFK', day(62), { returnDate: day(69), childrenCount: '1' })

/** A state of the website, on the screen when it returns. */
type State = { name: string; only?: 'phone' | 'wide'; show: (page: Page) => Promise<void> }

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
}

async function openForm(page: Page): Promise<void> {
  await open(page, '/')
  await expect(page.getByRole('button', { name: 'Search Flights' })).toBeVisible()
}

async function openResults(page: Page): Promise<void> {
  await open(page, RESULTS)
  await expect(page.getByRole('article').first()).toBeVisible()
}

async function signedIn(page: Page, wanted: string): Promise<void> {
  const account = await registered(page)
  await page.goto(`/login?redirect=${encodeURIComponent(wanted)}`)
  await logIn(page, account)
  await expect(page).toHaveURL(wanted)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** Trips of somebody who is signed in: one to come, one pending, one cancelled. */
async function openTrips(page: Page): Promise<void> {
  const refundable = {
    ...booking,
    cancellation: { refund: { amount: '1689.00', currency: 'USD' } },
    bookingData: {
      ...booking.bookingData,
      conditions: { cancellation_options: [{ type: 'refund', penalty_amount: null, penalty_currency: null }], changeable: true },
    },
  }
  const refund = { amount: '1689.00', currency: 'USD', refundedAt: '2026-11-23T10:00:00Z' }
  const cancelled = { ...booking, id: 'bk_3', status: 'cancelled', refundKind: 'card', refund, cancelledAt: '2026-11-22T10:00:00Z' }
  await signInWithTrips(page, [refundable, { ...booking, id: 'bk_2', status: 'pending' }, cancelled])
  await page.route('**/api/bookings/bk_1', (route) => route.fulfill({ json: refundable }))
  await open(page, '/my-trips')
  await expect(page.getByRole('article').first()).toBeVisible()
}

const screen = (name: string, address: string): State => ({ name, show: (page) => open(page, address) })

const STATES: State[] = [
  { name: 'home', show: openForm },
  {
    name: 'home with a refused search',
    show: async (page) => {
      await openForm(page)
      await page.getByRole('button', { name: 'Search Flights' }).click()
      await expect(page.getByText('Please select an origin airport')).toBeVisible()
    },
  },
  {
    name: 'the open list of airports',
    show: async (page) => {
      await openForm(page)
      await page.getByRole('combobox', { name: 'From' }).click()
      await page.getByRole('combobox', { name: 'From' }).fill('london')
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'the open calendar',
    show: async (page) => {
      await openForm(page)
      await page.getByRole('button', { name: /^Departure/ }).click()
      await expect(page.getByRole('grid').first()).toBeVisible()
    },
  },
  {
    name: 'the open choice of passengers',
    show: async (page) => {
      await openForm(page)
      await page.getByRole('button', { name: /^Passengers/ }).click()
      await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()
    },
  },
  {
    name: 'the open menu',
    only: 'phone',
    show: async (page) => {
      await openForm(page)
      await page.getByRole('button', { name: /menu/i }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  { name: 'results', show: openResults },
  {
    name: 'results with the search opened in place',
    show: async (page) => {
      await openResults(page)
      await page.getByRole('heading', { level: 1 }).getByRole('button').click()
      await expect(page.getByRole('button', { name: 'Search Flights' })).toBeVisible()
    },
  },
  {
    name: 'the open filters',
    only: 'phone',
    show: async (page) => {
      await openResults(page)
      await page.getByRole('button', { name: /^Filters/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'results that no filter leaves',
    show: async (page) => {
      await open(page, `${RESULTS}&airlines=WN&stops=0&refundable=yes&duration=60`)
      await expect(page.getByText('No flights match your filters')).toBeVisible()
    },
  },
  screen('results without a search', '/search'),
  {
    name: 'an offer and its tabs',
    show: async (page) => {
      await openResults(page)
      await page
        .getByRole('link', { name: /View Details/ })
        .first()
        .click()
      await expect(page.getByRole('tab', { name: 'Fare Rules' })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('tab', { name: 'Fare Rules' }).click()
      await expect(page.getByText('Passenger Identity Requirements')).toBeVisible()
    },
  },
  screen('an offer that is unknown', '/flight/oft_unknown'),
  screen('a booking of nothing', '/booking'),
  {
    name: 'a booking from its passengers to its confirmation',
    show: async (page) => {
      await open(page, resultsAddress('CDG', 'ATH', day(75)))
      await openFirstOffer(page)
      await page.getByRole('button', { name: 'Continue to Seat Selection' }).click()
      await expect(page.getByRole('alert').first()).toBeVisible()
      await expectAccessible(page)
      await enterPassengers(page, [someone()])
      await expect(page.getByText(/Loading seat maps/)).toHaveCount(0)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Skip Seat Selection' }).click()
      await enterCard(page, '4000000000000002')
      await expectAccessible(page)
      await payButton(page).click()
      await expect(page.getByRole('alert').filter({ hasText: /charged/ })).toBeVisible({ timeout: 30_000 })
      await expectAccessible(page)
      await enterCard(page)
      await payButton(page).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Booking Confirmed' })).toBeVisible({ timeout: 40_000 })
    },
  },
  screen('My Trips, signed out', '/my-trips'),
  { name: 'My Trips', show: openTrips },
  {
    name: 'the open details of a trip',
    show: async (page) => {
      await openTrips(page)
      await page
        .getByRole('button', { name: /^View Details/ })
        .first()
        .click()
      await expect(page.getByRole('dialog')).toContainText('If your plans change')
    },
  },
  {
    name: 'the question before a cancellation',
    show: async (page) => {
      await openTrips(page)
      await page
        .getByRole('button', { name: /^Cancel/ })
        .first()
        .click()
      await expect(page.getByRole('alertdialog')).toContainText('Refund to the card ending 4242')
    },
  },
  {
    name: 'a cancelled trip',
    show: async (page) => {
      await openTrips(page)
      await page.getByRole('tab', { name: /Cancelled/ }).click()
      await expect(page.getByText(/refunded to the card ending 4242/)).toBeVisible()
    },
  },
  screen('sign-in', '/login'),
  screen('registration', '/register'),
  {
    name: 'a refused registration',
    show: async (page) => {
      await open(page, '/register')
      await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click()
      await expect(page.getByText('First name is required')).toBeVisible()
    },
  },
  screen('a forgotten password', '/forgot-password'),
  screen('a new password', '/set-password?token=none'),
  {
    name: 'account settings and their tabs',
    show: async (page) => {
      await signedIn(page, '/account-settings')
      await expectAccessible(page)
      await page.getByRole('tab', { name: 'Profile' }).click()
      await expect(page.getByRole('button', { name: /Delete/ }).first()).toBeVisible()
    },
  },
  {
    name: 'the open menu of the account',
    only: 'wide',
    show: async (page) => {
      await signedIn(page, '/my-trips')
      await page.getByRole('banner').getByRole('button', { name: /Inès/ }).click()
      await expect(page.getByRole('banner').getByRole('link', { name: 'Account Settings' })).toBeVisible()
    },
  },
  ...['/privacy', '/terms', '/cookies', '/cancellation-policy', '/about', '/accessibility', '/faq', '/contact', '/expedia'].map((address) =>
    screen(address.slice(1), address),
  ),
  screen('support', '/support'),
  screen('support, contact', '/support?tab=contact'),
  screen('support, bookings', '/support?tab=bookings'),
  screen('answers to a search', '/faq?q=refund'),
  {
    name: 'a retrieved booking',
    show: async (page) => {
      await page.route('**/api/bookings/retrieve', (route) => route.fulfill({ json: booking }))
      await open(page, '/support?tab=bookings')
      const form = page.getByRole('form', { name: 'Retrieve Booking' })
      await form.getByLabel('Booking reference').fill('7KQX2M9D')
      await form.getByLabel('Email').fill('camille@example.org')
      await form.getByRole('button', { name: 'Retrieve Booking' }).click()
      await expect(page.getByRole('heading', { name: 'Paris to New York' })).toBeVisible()
    },
  },
  {
    name: 'a receipt with a refund',
    show: async (page) => {
      const refund = { amount: '1689.00', currency: 'USD', refundedAt: '2026-11-23T10:00:00Z' }
      const json = {
        ...receipt,
        booking: { ...booking, status: 'cancelled', refundKind: 'card', refund, cancelledAt: '2026-11-22T10:00:00Z' },
      }
      await page.route('**/api/bookings/bk_1/receipt', (route) => route.fulfill({ json }))
      await open(page, '/booking/bk_1/receipt')
      await expect(page.getByText('Paid after the refund')).toBeVisible()
    },
  },
  screen('a receipt of somebody else', '/booking/bk_none/receipt'),
  screen('an unknown address', '/no-such-page'),
]

for (const width of [PHONE, 1280]) {
  for (const { name, show } of STATES.filter((state) => state.only !== (width === PHONE ? 'wide' : 'phone'))) {
    test(`${name}: no accessibility violation and no sideways scroll at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: width === PHONE ? 844 : 900 })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await show(page)
      await expectAccessible(page)
    })
  }
}
