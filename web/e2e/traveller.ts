/** What a traveller does in the browser, by the words on the screen; and what the outside world then knows. */
import { type APIRequestContext, expect, type Page } from 'playwright/test'
import { ports, simulatorsReachable } from './playwright.config.ts'

export const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

/** A date of its own for a test that takes seats: what one run has bought, another cannot choose any more. */
export const ownDay = () => day(40 + Math.floor(Math.random() * 280))

export function resultsAddress(origin: string, destination: string, departure: string, more: Record<string, string> = {}): string {
  return `/search?${new URLSearchParams({ origin, destination, departureDate: departure, cabinClass: 'economy', adultsCount: '1', childrenCount: '0', infantsCount: '0', tripType: more.returnDate ? 'round-trip' : 'one-way', ...more })}`
}

/** The application has taken the place of the page that came with the document. */
export async function applicationShown(page: Page): Promise<void> {
  const shown = `Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer'))`
  await expect.poll(() => page.evaluate(shown), 'the application').toBe(true)
}

export async function pickAirport(page: Page, field: 'From' | 'To', typed: string, code: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('combobox', { name: field }).fill(typed)
  await page.getByRole('option').filter({ hasText: code }).first().click()
}

/** Chooses a departure two months ahead in the open form: late in the evening the form's own date, today, has no flights left. */
export async function chooseDeparture(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Departure/ }).click()
  const calendar = page.getByRole('dialog')
  for (let i = 0; i < 2; i++) await calendar.getByRole('button', { name: /next month/i }).click()
  await calendar
    .getByRole('button', { name: /\b1[2-8](th)?,/ })
    .first()
    .click()
}

/** The first result, opened, and on to the booking. Answers the price on the detail screen. */
export async function openFirstOffer(page: Page): Promise<string> {
  const offers = page.getByRole('article')
  await expect(offers.first()).toBeVisible()
  const listed = await priceIn(offers.first())
  await offers
    .first()
    .getByRole('link', { name: /View Details/ })
    .click()
  await expect(page).toHaveURL(/\/flight\//)
  await expect(page.getByText(listed, { exact: true }).first()).toBeVisible()
  await page
    .getByRole('link', { name: /Book This Flight|Book Now/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Passenger Information' })).toBeVisible()
  return listed
}

type Listed = { id: string; owner: { iata_code: string | null }; conditions: { refundable: boolean }; slices: { segments: unknown[] }[] }

/** Opens an offer of a certain kind without paging through the list, and goes on to the booking. */
export async function openOfferLike(page: Page, address: string, fits: (offer: Listed) => boolean): Promise<void> {
  const answer = await page.request.get(`/api/flights/search${address.slice('/search'.length)}&limit=100`)
  const { offers } = (await answer.json()) as { offers: Listed[] }
  const found = offers.find(fits)
  if (!found) throw new Error('no such offer')
  await page.goto(`/flight/${found.id}`)
  await page
    .getByRole('link', { name: /Book This Flight|Book Now/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Passenger Information' })).toBeVisible()
}

async function priceIn(scope: ReturnType<Page['getByRole']>): Promise<string> {
  let price: string | undefined
  await expect(async () => {
    price = /[€$£¥]\s?[\d,]+/.exec(await scope.innerText())?.[0]
    expect(price).toBeDefined()
  }).toPass({ timeout: 15_000 })
  return price ?? ''
}

export type Person = { first: string; last: string; born: string; email?: string }

/** Fills the open cards of the party, in order. */
export async function fillPassengers(page: Page, people: readonly Person[]): Promise<void> {
  for (const [index, person] of people.entries()) {
    const edit = page.getByRole('button', { name: /^Edit/ })
    const field = (label: string) => page.getByLabel(label, { exact: true }).nth(index)
    if ((await page.getByLabel('First name', { exact: true }).count()) <= index && (await edit.count()) > 0) await edit.last().click()
    await page
      .getByLabel(/^Title/)
      .nth(index)
      .selectOption('ms')
    await field('First name').fill(person.first)
    await field('Last name').fill(person.last)
    await field('Date of birth').fill(person.born)
    await page
      .getByLabel(/^Gender/)
      .nth(index)
      .selectOption('female')
    if (person.email) {
      await page
        .getByLabel(/^Email/)
        .nth(index)
        .fill(person.email)
      await page
        .getByLabel(/^Phone/)
        .nth(index)
        .fill('+33 1 23 45 67 89')
    }
    if ((await page.getByLabel(/^Passport number/).count()) > index) {
      await page
        .getByLabel(/^Passport number/)
        .nth(index)
        .fill(`19KL5614${index}`)
      await page
        .getByLabel(/^Expiry date/)
        .nth(index)
        .fill('2034-04-25')
      await page
        .getByLabel(/^Issuing country/)
        .nth(index)
        .selectOption('FR')
    }
  }
}

/** Fills the cards and goes on to the seats. */
export async function enterPassengers(page: Page, people: readonly Person[]): Promise<void> {
  await fillPassengers(page, people)
  await page.getByRole('button', { name: 'Continue to Seat Selection' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Seat Selection' })).toBeVisible()
}

export async function enterCard(page: Page, number = '4242424242424242'): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Payment' })).toBeVisible()
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry month').fill('12')
  await page.getByLabel('Expiry year').fill('34')
  await page.getByLabel('CVV').fill('123')
  await page.getByLabel('Name on card').fill('Ines Moreau')
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay / })

let travellers = 0
export const someone = (): Person & { email: string } => ({
  first: 'Inès',
  last: 'Moreau',
  born: '1988-06-15',
  email: `ines.${Date.now().toString(36)}.${++travellers}@example.org`,
})

export type Account = { username: string; email: string; password: string }

/** An account that this browser is not signed in to. */
export async function registered(page: Page): Promise<Account> {
  const { email, first, last } = someone()
  const account = { username: email.split('@')[0] ?? '', email, password: 'Blue-Suitcase-47-Runs' }
  const answer = await page.request.post('/api/auth/register', { data: { ...account, firstName: first, lastName: last } })
  expect(answer.status(), await answer.text()).toBe(201)
  return account
}

/** Fills the sign-in form that is on the screen. */
export async function logIn(page: Page, { username, password }: Account): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Log In' })).toBeVisible()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log In' }).click()
}

type Intent = { amount: number; captured: number; status: string; metadata: Record<string, string> }
type Order = {
  id: string
  route: string
  metadata: Record<string, string>
  loyalty_programme_accounts: { airline_iata_code: string; account_number: string }[]
}
type Mail = { to: string[]; subject: string; text: string }

/** Only where the simulators can be reached. */
export const outsideWorld = !simulatorsReachable
  ? null
  : {
      intents: async (request: APIRequestContext) => (await read<{ intents: Intent[] }>(request, ports.stripe)).intents,
      orders: async (request: APIRequestContext) => (await read<{ orders: Order[] }>(request, ports.duffel)).orders,
      mails: async (request: APIRequestContext, to: string) =>
        (await read<{ messages: Mail[] }>(request, ports.mailbox)).messages.filter((mail) => mail.to.includes(to)),
      happen: async (request: APIRequestContext, body: object) => {
        const answer = await request.post(`http://127.0.0.1:${ports.duffel}/_sim/cases`, { data: body })
        expect(answer.ok(), await answer.text()).toBe(true)
      },
    }

async function read<T>(request: APIRequestContext, port: number): Promise<T> {
  // The simulator closes idle connections: one of them may just be going when it is used again.
  const answer = await request.get(`http://127.0.0.1:${port}/_sim/ledger`, { headers: { connection: 'close' } })
  return (await answer.json()) as T
}
