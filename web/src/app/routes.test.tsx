import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { surround } from '../lib/render.fixture.tsx'
import { createMemoryRouter, RouterProvider } from '../lib/router.ts'
import { routesOf } from './routes.tsx'
import type { Screen } from './screen.ts'

/** The page at an address, after the code of its screen has come or failed. */
async function pageAt(path: string, screens: readonly Screen[]): Promise<string> {
  const router = createMemoryRouter(routesOf(screens), { initialEntries: [path] })
  await vi.waitUntil(() => router.state.initialized && router.state.navigation.state === 'idle')
  return renderToStaticMarkup(surround(<RouterProvider router={router} />))
}

const here: Screen = { path: '/here', load: async () => () => <h1>Here</h1>, access: 'everybody' }
const missing: Screen = { path: '/gone', load: () => Promise.reject(new TypeError('Failed to fetch')), access: 'everybody' }

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the routes', () => {
  it('GEN-05: show a screen between header and footer', async () => {
    const page = await pageAt('/here', [here])
    expect(page).toMatch(/<header.*<h1>Here<\/h1>.*<footer/s)
  })

  it('GEN-09: say that an unknown address has no page', async () => {
    expect(await pageAt('/nowhere', [here])).toContain('404 Page Not Found')
  })

  it('leave header and footer standing when the code of a screen is missing', async () => {
    const build = new URL('../lib/stale-chunk.ts', import.meta.url).href
    vi.stubGlobal('window', { ...globalThis, sessionStorage: { getItem: () => build } })
    const page = await pageAt('/gone', [missing])
    expect(page).toMatch(/<header.*Something went wrong.*<footer/s)
  })

  it('wait for the page that is loaded again when the build was given up only now', async () => {
    vi.stubGlobal('window', { ...globalThis, sessionStorage: { getItem: () => 'an older build' } })
    expect(await pageAt('/gone', [missing])).not.toContain('Something went wrong')
  })
})
