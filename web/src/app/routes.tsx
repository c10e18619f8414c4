/** The table of screens. Everything but home is loaded when it is first shown. */
import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { HomePage } from '../features/search/HomePage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { paths } from './paths.ts'

type Screen = LazyExoticComponent<ComponentType>

const screen = <M,>(load: () => Promise<M>, name: keyof M): Screen => lazy(async () => ({ default: (await load())[name] as ComponentType }))

const SCREENS: readonly [path: string, screen: Screen][] = [
  [paths.search, screen(() => import('../features/results/ResultsPage.tsx'), 'ResultsPage')],
  ['/flight/:id', screen(() => import('../features/offer/OfferPage.tsx'), 'OfferPage')],
  [paths.booking, screen(() => import('../features/booking/BookingPage.tsx'), 'BookingPage')],
  [paths.trips, screen(() => import('../features/trips/TripsPage.tsx'), 'TripsPage')],
  [paths.login, screen(() => import('../features/auth/LoginPage.tsx'), 'LoginPage')],
  [paths.register, screen(() => import('../features/auth/RegisterPage.tsx'), 'RegisterPage')],
  [paths.setPassword, screen(() => import('../features/auth/SetPasswordPage.tsx'), 'SetPasswordPage')],
]

/** Keeps the footer below the fold while a screen is on its way. */
function Waiting({ children, text = 'Loading' }: { children: ReactNode; text?: string }) {
  return (
    <Suspense
      fallback={
        <div className="screen-loading" role="status">
          <span className="visually-hidden">{text}</span>
        </div>
      }
    >
      {children}
    </Suspense>
  )
}

export function AppRoutes() {
  return (
    <Routes>
      <Route path={paths.home} element={<HomePage />} />
      {SCREENS.map(([path, Screen]) => (
        <Route
          key={path}
          path={path}
          element={
            <Waiting>
              <Screen />
            </Waiting>
          }
        />
      ))}
      <Route path="/flight" element={<Navigate to={paths.search} replace />} />
      <Route path="/privacy-policy" element={<Navigate to={paths.privacy} replace />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  )
}
