/** My Trips of a signed-in traveller with bookings that a test makes up. */
import type { Page } from 'playwright/test'

const user = { id: 'usr_1', username: 'ines', firstName: 'Inès', lastName: 'Moreau', email: 'ines@example.org', isAdmin: false }

/** Answers the calls of the account; the page itself no longer says that nobody is signed in. */
export async function signInWithTrips(page: Page, bookings: readonly object[]): Promise<void> {
  await page.route('**/my-trips', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('<meta name="session" content="none" />', '')
    await route.fulfill({ response, body })
  })
  await page.route('**/api/auth/user', (route) => route.fulfill({ json: user }))
  await page.route('**/api/bookings', (route) => route.fulfill({ json: bookings }))
}
