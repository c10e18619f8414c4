import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, api, messageOf } from '../../lib/api-client.ts'
import { bookingQuery, bookingsQuery, userQuery } from '../../lib/queries.ts'
import { forgetUserOn401 } from '../../lib/session.ts'
import { readTrip, type Trip } from '../../lib/trip.ts'
import { toast } from '../../ui/toaster/toast-store.ts'

/** The visitor's bookings, read whenever My Trips opens. */
export function useTrips() {
  const queryClient = useQueryClient()
  const { data: user } = useQuery(userQuery)
  const trips = useQuery({
    ...bookingsQuery,
    select: (bookings) => bookings.map(readTrip),
    refetchOnMount: 'always',
    // The server would only refuse.
    enabled: user !== null,
  })
  useEffect(() => {
    if (trips.error) forgetUserOn401(queryClient, trips.error)
  }, [trips.error, queryClient])
  return { ...trips, signedOut: user === null || (trips.error instanceof ApiError && trips.error.status === 401) }
}

/** One booking: as the list has it at once, and read afresh, because the list may be older than the booking. The list learns it too. */
export function useTrip(id: string) {
  const queryClient = useQueryClient()
  const { queryKey, queryFn } = bookingQuery(id)
  const listed = queryClient.getQueryState(bookingsQuery.queryKey)
  const initialData = listed?.data?.find((booking) => booking.id === id)
  return useQuery({
    queryKey,
    queryFn: async (context) => {
      const booking = await (queryFn as Exclude<typeof queryFn, symbol | undefined>)(context)
      queryClient.setQueryData(bookingsQuery.queryKey, (bookings) => bookings?.map((one) => (one.id === id ? booking : one)))
      return booking
    },
    select: readTrip,
    staleTime: 0,
    ...(initialData && { initialData, initialDataUpdatedAt: listed?.dataUpdatedAt }),
  })
}

/**
 * Asks the airline what cancelling gives back, where the booking does not say; the booking and the list learn it. True while it is asked.
 * An airline that does not answer leaves it open: the trip can be cancelled all the same.
 */
export function useRefundQuote(trip: Trip | undefined, fresh: boolean): boolean {
  const queryClient = useQueryClient()
  const id = trip?.id ?? ''
  const { isFetching } = useQuery({
    queryKey: [...bookingQuery(id).queryKey, 'quote'],
    queryFn: async ({ signal }) => {
      const booking = await api.quoteCancellation({ params: { id } }, { signal })
      queryClient.setQueryData(bookingQuery(id).queryKey, booking)
      queryClient.setQueryData(bookingsQuery.queryKey, (bookings) => bookings?.map((one) => (one.id === id ? booking : one)))
      return true
    },
    enabled: fresh && trip?.cancellation?.refund === null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return isFetching
}

/** Cancels, says what came of it, and reads the bookings again. */
export function useCancelTrip(trip: Pick<Trip, 'id'>, onEnd: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.cancelBooking({ params: { id: trip.id } }),
    onSuccess: ({ status, message }) => {
      const settled = status === 'cancelled'
      toast({
        tone: settled ? 'positive' : 'info',
        title: settled ? 'Booking cancelled' : 'Cancellation requested',
        description: message,
      })
    },
    onError: (error) => {
      forgetUserOn401(queryClient, error)
      toast({ tone: 'negative', title: 'Cancellation failed', description: messageOf(error, 'Something went wrong. Please try again.') })
    },
    onSettled: () => {
      onEnd()
      return Promise.all([bookingsQuery, bookingQuery(trip.id)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
    },
  })
}

/** Accepts the airline's new times, as they were shown, and reads the bookings again. */
export function useAcceptChange(trip: Pick<Trip, 'id'>, changeId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.acceptChange({ params: { id: trip.id }, body: { changeId } }),
    onSuccess: () => toast({ tone: 'positive', title: 'New times accepted' }),
    onError: (error) => {
      forgetUserOn401(queryClient, error)
      toast({ tone: 'negative', title: 'Not accepted', description: messageOf(error, 'Something went wrong. Please try again.') })
    },
    onSettled: () => Promise.all([bookingsQuery, bookingQuery(trip.id)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey }))),
  })
}
