/**
 * The calls that the website makes. Types come from the contracts' rows, so a wrong path, method or field does not compile; only
 * the types are imported, because the rows' schemas would bring the whole validator into the first visit.
 */
import { ApiError, type CallOptions, type Client, client, TransportError } from '@passerelle/contracts/client'
import type { adminApi } from '@passerelle/contracts/http/admin'
import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { brandApi } from '@passerelle/contracts/http/brand'
import type { identityApi } from '@passerelle/contracts/http/identity'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import type { Contract, Route } from '@passerelle/contracts/route'

export { ApiError, TransportError }

type Search = (typeof searchApi)['routes']
type Booking = (typeof bookingApi)['routes']
type Payment = (typeof paymentApi)['routes']
type Identity = (typeof identityApi)['routes']
type Brand = (typeof brandApi)['routes']
type Admin = (typeof adminApi)['routes']

/** The typed call of one row: `endpoint<Search['getOffer']>('GET', '/api/flights/offer/:id')({ params: { id } })`. */
export function endpoint<R extends Route>(method: R['method'], path: R['path']): Client<Contract<{ call: R }>>['call'] {
  return client<Contract<{ call: R }>>({ service: 'search', routes: { call: { method, path } as R } }).call
}

export const api = {
  search: endpoint<Search['search']>('GET', '/api/flights/search'),
  startSearch: endpoint<Search['startSearch']>('POST', '/api/flights/search'),
  getOffer: endpoint<Search['getOffer']>('GET', '/api/flights/offer/:id'),
  getSeatMaps: endpoint<Search['getSeatMaps']>('GET', '/api/flights/seatmaps/:id'),
  verifyOffer: endpoint<Search['verifyOffer']>('GET', '/api/flights/verify-offer/:id'),
  createBooking: endpoint<Booking['createBooking']>('POST', '/api/bookings'),
  listBookings: endpoint<Booking['listBookings']>('GET', '/api/bookings'),
  getBooking: endpoint<Booking['getBooking']>('GET', '/api/bookings/:id'),
  cancelBooking: endpoint<Booking['cancelBooking']>('POST', '/api/bookings/:id/cancel'),
  retrieveBooking: endpoint<Booking['retrieveBooking']>('POST', '/api/bookings/retrieve'),
  processCard: endpoint<Payment['processCard']>('POST', '/api/payments/process-card'),
  currentUser: endpoint<Identity['currentUser']>('GET', '/api/auth/user'),
  login: endpoint<Identity['login']>('POST', '/api/auth/login'),
  register: endpoint<Identity['register']>('POST', '/api/auth/register'),
  changePassword: endpoint<Identity['changePassword']>('POST', '/api/auth/change-password'),
  logout: endpoint<Identity['logout']>('POST', '/api/auth/logout'),
  adminLogin: endpoint<Identity['adminLogin']>('POST', '/api/admin/login'),
  getBrand: endpoint<Brand['getBrand']>('GET', '/api/brands/:brandKey'),
  subscribe: endpoint<Brand['subscribe']>('POST', '/api/newsletter'),
  systemMode: endpoint<Brand['systemMode']>('GET', '/api/system/mode'),
  getSettings: endpoint<Admin['getSettings']>('GET', '/api/admin/settings'),
  changeSettings: endpoint<Admin['changeSettings']>('POST', '/api/admin/settings'),
}

/** A call without a type of its own. */
type AnyCall = (input: { body?: unknown } | undefined, options?: CallOptions) => Promise<unknown>

/** A GET of any path of ours, for reads whose query key is the path. */
export function read(path: string, options: CallOptions = {}): Promise<unknown> {
  return (endpoint<Route>('GET', path) as AnyCall)(undefined, options)
}

/** What may be shown to a visitor of a failed call, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.displayMessage || fallback
  return error instanceof Error && error.message ? error.message : fallback
}
