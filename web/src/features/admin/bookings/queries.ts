/** What the back office reads. */
import { addresses } from '@passerelle/contracts/addresses'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import { withQuery } from '../../../lib/paths.ts'
import { keys } from '../model/keys.ts'

const MOST_WAITING = 25

/** Those that need somebody, longest waiting first, with the counts of all. */
export const attentionQuery = queryOptions({
  queryKey: [keys.bookings, 'attention'],
  queryFn: ({ signal }) => api.listOfficeBookings({ query: { state: 'attention', limit: MOST_WAITING } }, { signal }),
})

/** Where the browser gets all that a list finds as a table. */
export const tableAddress = (found: Parameters<typeof withQuery>[1]): string =>
  withQuery(addresses.backOffice.downloadOfficeBookings.path, found)

export const officeBookingQuery = (id: string) =>
  queryOptions({
    queryKey: [keys.bookings, 'one', id],
    queryFn: ({ signal }) => api.getOfficeBooking({ params: { id } }, { signal }),
    refetchOnMount: 'always',
  })
