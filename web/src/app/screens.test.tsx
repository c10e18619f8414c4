import type { User } from '@passerelle/contracts/http/identity'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '../lib/query-client.ts'
import { surround } from '../lib/render.fixture.tsx'
import { createMemoryRouter, RouterProvider } from '../lib/router.ts'
import { USER_KEY } from '../lib/session.ts'
import { routesOf } from './routes.tsx'
import { SCREENS } from './screens.ts'

// The code of every screen comes with the first one.
beforeAll(() => Promise.all(SCREENS.map(({ load }) => load())), 60_000)
beforeEach(() => {
  const storage = { getItem: () => null }
  vi.stubGlobal('window', { localStorage: storage, sessionStorage: storage })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const admin = { id: 'usr_1', username: 'ines', firstName: 'Inès', isAdmin: true } as User

function at(path: string, user: User | null, screens = SCREENS) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(USER_KEY, user)
  const router = createMemoryRouter(routesOf(screens), { initialEntries: [path] })
  return { router, draw: () => renderToStaticMarkup(surround(<RouterProvider router={router} />, { queryClient })) }
}

/** The first heading of the screen at an address. */
async function headingAt(path: string, user: User | null): Promise<string | undefined> {
  const { router, draw } = at(path, user)
  await vi.waitUntil(() => router.state.initialized, { timeout: 10_000 })
  return /<h1[^>]*>(.*?)<\/h1>/s
    .exec(draw())?.[1]
    ?.replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('the address', () => {
  it.each([
    ['ROUTE-01', '/', 'Good flights, plainly priced.'],
    ['ROUTE-02, RES-07', '/search', 'Error Loading Flights'],
    ['ROUTE-02', '/search?origin=CDG&destination=LIS&departureDate=2099-05-04', 'CDG to LIS'],
    ['ROUTE-03', '/flight/oft_1', 'Flight details'],
    ['ROUTE-05, BOOK-03', '/booking', 'Flight offer not found'],
    ['ROUTE-06', '/my-trips', 'Please sign in'],
    ['ROUTE-07', '/login', 'Log In'],
    ['ROUTE-08', '/register', 'Create Account'],
  ])('%s: %s shows "%s" to a visitor', async (_id, path, heading) => {
    expect(await headingAt(path, null)).toBe(heading)
  })

  it.each([
    ['ROUTE-06', '/my-trips', 'My Trips'],
    ['ROUTE-09', '/account-settings', 'Account settings'],
    ['ROUTE-10', '/admin-settings', 'Admin Settings'],
    ['ROUTE-11', '/admin/brands', 'Brands'],
  ])('%s: %s shows "%s" to an administrator', async (_id, path, heading) => {
    expect(await headingAt(path, admin)).toBe(heading)
  })

  it('ROUTE-11: /admin/brands says that it is being loaded until its code has come', () => {
    const never = SCREENS.map((screen) => ({ ...screen, load: () => new Promise<never>(() => undefined) }))
    const shown = (path: string) => /<main[^>]*>(.*?)<\/main>/s.exec(at(path, admin, never).draw())?.[1]
    expect(shown('/admin/brands')).toMatch(/<span>Loading brand manager\.\.\.<\/span>/)
    expect(shown('/admin-settings')).toMatch(/<span class="visually-hidden">Loading<\/span>/)
  })
})
