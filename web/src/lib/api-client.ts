/**
 * The calls that the website makes. Types come from the contracts' rows, so a wrong path, method or field does not compile; only
 * the types are imported, because the rows' schemas would bring the whole validator into the first visit.
 */
import { addresses } from '@passerelle/contracts/addresses'
import { ApiError, type CallOptions, type Client, client, TransportError } from '@passerelle/contracts/client'
import type { accountApi } from '@passerelle/contracts/http/account'
import type { adminApi } from '@passerelle/contracts/http/admin'
import type { backOfficeApi } from '@passerelle/contracts/http/back-office'
import type { bookingApi } from '@passerelle/contracts/http/booking'
import type { brandApi } from '@passerelle/contracts/http/brand'
import type { brandHostApi } from '@passerelle/contracts/http/brand-host'
import type { brandManagerApi } from '@passerelle/contracts/http/brand-manager'
import type { identityApi } from '@passerelle/contracts/http/identity'
import type { messagesApi } from '@passerelle/contracts/http/messages'
import type { paymentApi } from '@passerelle/contracts/http/payment'
import type { searchApi } from '@passerelle/contracts/http/search'
import type { staffApi } from '@passerelle/contracts/http/staff'
import type { Contract, Route } from '@passerelle/contracts/route'
import { fetchOrFirst } from './first-answers.ts'

export { ApiError, TransportError }

const callsOf = <C extends Contract>(name: keyof typeof addresses): Client<C> =>
  client<C>({ service: 'search', routes: addresses[name] } as unknown as C, { fetch: fetchOrFirst })

/** Every call of the browser by its row's name. */
export const api = {
  ...callsOf<typeof searchApi>('search'),
  ...callsOf<typeof bookingApi>('booking'),
  ...callsOf<typeof backOfficeApi>('backOffice'),
  ...callsOf<typeof paymentApi>('payment'),
  ...callsOf<typeof identityApi>('identity'),
  ...callsOf<typeof accountApi>('account'),
  ...callsOf<typeof staffApi>('staff'),
  ...callsOf<typeof brandApi>('brand'),
  ...callsOf<typeof messagesApi>('messages'),
  ...callsOf<typeof adminApi>('admin'),
  ...callsOf<typeof brandManagerApi>('brandManager'),
  ...callsOf<typeof brandHostApi>('brandHost'),
}

/** A call without a type of its own. */
type AnyCall = (input: { body?: unknown } | undefined, options?: CallOptions) => Promise<unknown>

/** A GET of any path of ours, for reads whose query key is the path. */
export function read(path: string, options: CallOptions = {}): Promise<unknown> {
  const { read: call } = client({ service: 'search', routes: { read: { method: 'GET', path } as Route } }, { fetch: fetchOrFirst })
  return (call as AnyCall)(undefined, options)
}

/** What may be shown to a visitor of a failed call: our own message, else `fallback`; never the body of somebody on the way. */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.body?.message || fallback
  return error instanceof Error && error.message ? error.message : fallback
}
