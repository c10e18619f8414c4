/** The booking: four steps, each an entry of the history, ending in a confirmation that outlives a reload. */
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { showOnScreen } from '../../lib/open-attempts.ts'
import { useSearchParams } from '../../lib/router.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast, toastNext } from '../../ui/toaster/toast-store.ts'
import { BookingFlow } from './BookingFlow.tsx'
import { ConfirmationStep } from './later-steps.ts'
import type { Finished } from './model/finished.ts'
import { OfferFailed, OfferLoading, OfferNotFound } from './OfferStates.tsx'
import { useSteps } from './use-steps.ts'

/** An offer read on its own page a moment ago is not read again. */
const FRESH_MS = 60_000

export function BookingPage() {
  const [params] = useSearchParams()
  const offerId = params.get('offer') ?? ''
  const { place, entry, back, settle } = useSteps()
  const movedFrom = useRef<string | null>(null)
  const [finished, setFinished] = useState<Finished | null>(null)
  const queryClient = useQueryClient()
  const done = finished?.offerId === offerId ? finished : null
  const bookingId = done?.bookingId ?? (place.step === 'confirmation' ? place.bookingId : null)

  // This page tells what other pages would have to tell of the attempt.
  useEffect(() => (bookingId ? showOnScreen(bookingId) : undefined), [bookingId])

  // The entries of the steps give way to the confirmation, so that Back leaves the booking.
  useEffect(() => {
    if (!done || place.step === 'confirmation' || movedFrom.current === entry) return
    movedFrom.current = entry
    if (place.depth > 0) back(place.depth)
    else settle(done.bookingId)
  })

  function finish(result: Finished): void {
    setFinished(result)
    const { created } = result
    void refreshUser(queryClient)
    void queryClient.invalidateQueries({ queryKey: ['/api/bookings'] })
    if (created?.status === 'pending') {
      toast({
        title: 'We are confirming your booking',
        description: 'The airline has not answered yet. Your card is not charged before it does.',
      })
    } else if (created) {
      toast({ title: 'Booking confirmed!', description: 'The confirmation is on its way to you by e-mail.', tone: 'positive' })
    }
    if (created?.accountCreated) {
      const { accountInfo } = created
      toastNext({
        title: 'Account created!',
        description: accountInfo ? `Username ${accountInfo.username}. You are signed in.` : 'You are signed in.',
        tone: 'positive',
      })
    }
  }

  if (bookingId) {
    return (
      <Suspense fallback={<OfferLoading />}>
        <ConfirmationStep key={bookingId} bookingId={bookingId} finished={done} />
      </Suspense>
    )
  }
  if (!offerId) return <OfferNotFound />
  return <OfferGate key={offerId} offerId={offerId} onFinished={finish} />
}

/** Loads the offer; what happens to it later is the flow's. */
function OfferGate({ offerId, onFinished }: { offerId: string; onFinished: (finished: Finished) => void }) {
  const { data, error, isFetching, refetch } = useQuery<FlightOffer>({
    queryKey: [`/api/flights/offer/${encodeURIComponent(offerId)}`],
    staleTime: FRESH_MS,
  })
  if (data) return <BookingFlow offer={data} reloadOffer={() => void refetch()} onFinished={onFinished} />
  if (isFetching || !error) return <OfferLoading />
  if (error instanceof ApiError && error.status === 404) return <OfferNotFound />
  return <OfferFailed error={error} onRetry={() => void refetch()} />
}
