/** The router's parts that the website uses. Nothing else imports the package. */
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

/** The state of an entry that was opened from the results: the way back to them is one step back, to where the visitor was. */
export const FROM_RESULTS = { from: 'results' } as const

export function isFromResults(state: unknown): boolean {
  return typeof state === 'object' && state !== null && (state as { from?: unknown }).from === FROM_RESULTS.from
}
