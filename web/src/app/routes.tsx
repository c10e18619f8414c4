/** The routes of the table of screens: code on demand, gate, errors inside the layout. */
import { Navigate, type RouteObject } from '../lib/router.ts'
import { loadPage } from '../lib/stale-chunk.ts'
import { Gate } from './Gate.tsx'
import { Layout } from './Layout.tsx'
import { Loading } from './Loading.tsx'
import { RouteError } from './RouteError.tsx'
import type { Screen } from './screen.ts'
import { REDIRECTS, SCREENS } from './screens.ts'

function routeOf(screen: Screen): RouteObject {
  return {
    path: screen.path,
    handle: screen,
    hydrateFallbackElement: <Loading text={screen.waiting} />,
    lazy: async () => {
      const Page = await loadPage(screen.load)
      return {
        Component: () => (
          <Gate screen={screen}>
            <Page />
          </Gate>
        ),
      }
    },
  }
}

async function loadNotFound() {
  return { Component: await loadPage(async () => (await import('./NotFoundPage.tsx')).NotFoundPage) }
}

export function routesOf(screens: readonly Screen[]): RouteObject[] {
  return [
    {
      element: <Layout />,
      errorElement: <RouteError />,
      children: [
        {
          // A screen that breaks leaves header and footer standing; the next address is shown again.
          errorElement: <RouteError />,
          children: [
            ...screens.filter(({ framed }) => !framed).map(routeOf),
            ...REDIRECTS.map(([path, to]) => ({ path, element: <Navigate to={to} replace /> })),
            { path: '*', lazy: loadNotFound, hydrateFallbackElement: <Loading /> },
          ],
        },
      ],
    },
    ...screens.filter(({ framed }) => framed).map(routeOf),
  ]
}

export const routes = routesOf(SCREENS)
