/** The router's parts that the website uses. Nothing else imports the package. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

export type { LinkProps, RouteObject } from 'react-router'
export {
  createBrowserRouter,
  createMemoryRouter,
  Link,
  Navigate,
  Outlet,
  RouterProvider,
  ScrollRestoration,
  useBlocker,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useNavigationType,
  useParams,
  useRouteError,
  useSearchParams,
} from 'react-router'

/** The state of an entry that says which screen it was opened from: the way back there is one step back, to where the visitor was. */
export const FROM_RESULTS = { from: 'results' } as const
export const FROM_FLIGHT = { from: 'flight' } as const

export function isFrom(origin: typeof FROM_RESULTS | typeof FROM_FLIGHT, state: unknown): boolean {
  return typeof state === 'object' && state !== null && (state as { from?: unknown }).from === origin.from
}

type ChangeQuery = (change: (now: URLSearchParams) => URLSearchParams) => void

/**
 * The query of the address, and a way to change it in place. A change builds on what the address is now, not on what was last rendered, so
 * that of two changes at nearly the same time neither is lost.
 */
export function useAddressQuery(): [URLSearchParams, ChangeQuery] {
  const [query, setQuery] = useSearchParams()
  const change: ChangeQuery = useCallback(
    (next) => setQuery(next(new URLSearchParams(window.location.search)), { replace: true, preventScrollReset: true }),
    [setQuery],
  )
  return [query, change]
}
