/** Every address of the website. Screens link by these names only. */
import { CARD_FIELDS_PATH } from '@passerelle/contracts/rules/card-fields'

type Values = Record<string, string | number | null | undefined>

/** Adds a query of the values that are not empty, in their order. */
export function withQuery(path: string, values: Values): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.size > 0 ? `${path}?${query}` : path
}

export const paths = {
  home: '/',
  search: '/search',
  flight: (id: string) => `/flight/${encodeURIComponent(id)}`,
  booking: '/booking',
  cardFields: CARD_FIELDS_PATH,
  trips: '/my-trips',
  receipt: (bookingId: string) => `/booking/${encodeURIComponent(bookingId)}/receipt`,
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  setPassword: '/set-password',
  verifyEmail: '/verify-email',
  leaveNewsletter: '/unsubscribe',
  confirmSender: '/confirm-sender',
  account: '/account-settings',
  adminSettings: '/admin-settings',
  adminBrands: '/admin/brands',
  adminBrand: (key: string) => `/admin/brands/${encodeURIComponent(key)}`,
  adminBookings: '/admin/bookings',
  adminBooking: (id: string) => `/admin/bookings/${encodeURIComponent(id)}`,
  adminMessages: '/admin/messages',
  privacy: '/privacy',
  terms: '/terms',
  cookies: '/cookies',
  cancellation: '/cancellation-policy',
  about: '/about',
  accessibility: '/accessibility',
  partner: '/expedia',
  support: '/support',
  faq: '/faq',
  contact: '/contact',
} as const

/** The sign-in that leads back to `wanted`, a path of ours with its query. */
export function signInAddress(wanted: string): string {
  return withQuery(paths.login, { redirect: wanted })
}

/** The same by way of a new account. */
export function registerAddress(wanted: string): string {
  return withQuery(paths.register, { redirect: wanted })
}

/** "+33 1 99 00 42 19" as an address that dials it. */
export function telephone(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`
}

export function mail(email: string): string {
  return `mailto:${email}`
}
