import type { BookingAttempt } from '@passerelle/contracts/http/booking'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import { isFinal, isShownElsewhere } from '../../../lib/open-attempts.ts'

const POLL_MS = 3000
const PENDING_POLL_MS = 10_000

/** `askedAt`: no request that was sent later is in this answer. */
type AttemptAnswer = { answer: BookingAttempt; askedAt: number }

/** What the server says of an attempt, asked again until that cannot change any more. A look that fails is followed by the next. */
export function attemptQuery(key: string) {
  return queryOptions({
    queryKey: ['booking-attempt', key],
    queryFn: async ({ signal }): Promise<AttemptAnswer> => {
      const askedAt = Date.now()
      return { answer: await api.getAttempt({ params: { key } }, { signal }), askedAt }
    },
    staleTime: 0,
    gcTime: 0,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data } }) => {
      if (!data || (data.answer.outcome === 'none' && !isFinal(key, data.askedAt))) return POLL_MS
      return data.answer.outcome === 'pending' ? PENDING_POLL_MS : false
    },
  })
}

/** Whether another tab tells the visitor what comes of it. */
export function shownElsewhereQuery(key: string) {
  return queryOptions({
    queryKey: ['booking-attempt-elsewhere', key],
    queryFn: () => isShownElsewhere(key),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: POLL_MS,
  })
}
