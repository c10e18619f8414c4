/**
 * Every link of every page, followed: under each brand by a visitor who is signed out, under one with texts of its own by one who is
 * signed in, and by an administrator, whose pages are the same under each.
 */
import { expect, type Page, test } from 'playwright/test'
import { adminPassword, signInAsAdmin } from './administrator.ts'
import { day, logIn, registered, resultsAddress } from './traveller.ts'

const BRANDS = ['default', 'atlas.example', 'aurora.example']
/** Where no link leads from the home page, and what is only found with a search. */
const STARTS = [
  '/support?tab=bookings',
  '/support?tab=contact',
  '/faq?q=refund',
  '/expedia',
  '/privacy-policy',
  '/my-trips',
  '/forgot-password',
]
const RESULTS = resultsAddress('CDG', 'LIS', day(70))
const HELP = ['/about', '/contact', '/support', '/faq', '/privacy', '/terms', '/cancellation-policy', '/cookies', '/accessibility']

/** Of addresses that differ only in the offer, booking, brand or sign-in's way back one is enough. */
function kindOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://localhost')
  if (pathname.startsWith('/flight/')) return '/flight/:id'
  if (pathname.startsWith('/admin/bookings/')) return '/admin/bookings/:id'
  return /^\/(booking|search|login|register)$/.test(pathname) ? pathname : pathname + search
}

async function linksOn(page: Page, address: string): Promise<string[]> {
  // A file to download.
  if (address.startsWith('/api/')) {
    expect((await page.request.get(address)).status(), address).toBe(200)
    return []
  }
  await page.goto(address, { waitUntil: 'domcontentloaded' })
  await expect(page.getByRole('heading', { level: 1 }).first(), address).toBeVisible()
  if (address.startsWith('/search?')) await expect(page.getByRole('article').first(), address).toBeVisible()
  await expect(page.getByRole('main').getByText(/^Loading/), address).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' }), address).toHaveCount(0)
  const links = await page.locator('a[href]').evaluateAll((anchors) => anchors.map((anchor) => anchor.getAttribute('href') ?? ''))
  return links.filter((href) => href.startsWith('/')).map((href) => href.split('#')[0] || '/')
}

/** The kinds of address that were reached. */
async function follow(page: Page, brand: string, starts: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`))
  await page.goto(`/?brand=${brand}`)
  const waiting = ['/', ...starts]
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (seen.has(kindOf(address))) continue
    seen.add(kindOf(address))
    waiting.push(...(await linksOn(page, address)))
  }
  expect(complaints).toEqual([])
  return seen
}

for (const brand of BRANDS) {
  test(`FOOT-02, ROUTE-12, ROUTE-13, ROUTE-14, ROUTE-15, ROUTE-16: no link leads a visitor to the 404 screen under ${brand}`, async ({
    page,
  }) => {
    test.setTimeout(300_000)
    const seen = await follow(page, brand, [...STARTS, RESULTS])
    for (const path of [...HELP, '/flight/:id', '/booking', '/login', '/register']) expect(seen).toContain(path)
  })
}

test('no link leads somebody who is signed in to the 404 screen', async ({ page }) => {
  test.setTimeout(300_000)
  const account = await registered(page)
  await page.goto('/login?redirect=/account-settings')
  await logIn(page, account)
  await expect(page.getByRole('heading', { level: 1, name: 'Account settings' })).toBeVisible()
  const seen = await follow(page, 'atlas.example', [...STARTS, RESULTS, '/account-settings', '/account-settings?tab=profile'])
  for (const path of [...HELP, '/my-trips', '/account-settings', '/flight/:id', '/booking']) expect(seen).toContain(path)
})

test('no link leads an administrator to the 404 screen', async ({ page }) => {
  test.skip(adminPassword() === null, 'the administrator’s password is not known')
  test.setTimeout(300_000)
  await signInAsAdmin(page, '/admin-settings')
  const tabs = ['look', 'texts', 'versions'].map((tab) => `/admin/brands/default?tab=${tab}`)
  const seen = await follow(page, 'default', [...STARTS, ...tabs])
  for (const path of [...HELP, '/admin-settings', '/admin/brands', '/admin/brands/default', '/admin/messages']) expect(seen).toContain(path)
})
