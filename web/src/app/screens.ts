/** The table of screens. */
import { paths } from '../lib/paths.ts'
import type { Screen } from './screen.ts'

export const SCREENS: readonly Screen[] = [
  {
    path: paths.home,
    load: async () => (await import('../features/search/HomePage.tsx')).HomePage,
    access: 'everybody',
    title: (brand) => `${brand}: flights at the price you see`,
    description: 'Compare airline fares, pay the total you see and call a person at any hour. Best-price guarantee with price match.',
  },
  { path: paths.search, load: async () => (await import('../features/results/ResultsPage.tsx')).ResultsPage, access: 'everybody' },
  { path: '/flight/:id', load: async () => (await import('../features/offer/OfferPage.tsx')).OfferPage, access: 'everybody' },
  {
    path: paths.booking,
    load: async () => (await import('../features/booking/BookingPage.tsx')).BookingPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    // It asks visitors to sign in by itself: guests may come from a booking that they made without an account.
    path: paths.trips,
    load: async () => (await import('../features/trips/TripsPage.tsx')).TripsPage,
    access: 'everybody',
    robots: 'noindex',
  },
  { path: paths.login, load: async () => (await import('../features/auth/LoginPage.tsx')).LoginPage, access: 'everybody' },
  { path: paths.register, load: async () => (await import('../features/auth/RegisterPage.tsx')).RegisterPage, access: 'everybody' },
  {
    path: paths.setPassword,
    load: async () => (await import('../features/auth/SetPasswordPage.tsx')).SetPasswordPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    path: paths.verifyEmail,
    load: async () => (await import('../features/auth/VerifyEmailPage.tsx')).VerifyEmailPage,
    access: 'everybody',
    robots: 'noindex',
  },
]

/** Addresses that lead to another one. */
export const REDIRECTS: readonly [from: string, to: string][] = [
  ['/flight', paths.search],
  ['/privacy-policy', paths.privacy],
]
