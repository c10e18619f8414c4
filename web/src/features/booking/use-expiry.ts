import type { FlightOffer } from '@passerelle/contracts/http/search'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dropOffer } from '../../lib/gone-offer.ts'
import { readLastSearch } from '../../lib/last-search.ts'
import { useNavigate } from '../../lib/router.ts'
import { useNow } from '../../lib/use-now.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import { expiresSoon, heldFor, REDIRECT_MS, searchAfterExpiry } from './model/expiry.ts'
import type { Step } from './model/steps.ts'
import { EXPIRED_MESSAGE } from './model/verification.ts'

const GONE_MESSAGE = 'This flight offer does not exist any more. Please select another flight.'

/** Says that the offer is over and leads back to the search a moment later. */
export function useExpiryRedirect(offer: FlightOffer): { over: boolean; expire: (gone: boolean) => void } {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [over, setOver] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function expire(gone: boolean): void {
    if (timer.current !== undefined) return
    setOver(true)
    dropOffer(queryClient, offer.id)
    if (gone) toast({ title: 'Offer No Longer Available', description: GONE_MESSAGE, tone: 'negative' })
    else toast({ title: 'Flight Offer Expired', description: EXPIRED_MESSAGE, tone: 'negative' })
    timer.current = setTimeout(() => navigate(searchAfterExpiry(readLastSearch(), offer)), REDIRECT_MS)
  }
  return { over, expire }
}

/** Once a step, when the time left first falls below five minutes. Gives the present, for the clock on the page. */
export function useExpiryWarning(expiresAt: string | null, step: Step): number {
  const now = useNow(5000)
  const warned = useRef(new Set<Step>())
  const held = heldFor(expiresAt, now)
  const soon = held !== null && expiresSoon(expiresAt, now)
  useEffect(() => {
    if (!soon || step === 'confirmation' || warned.current.has(step)) return
    warned.current.add(step)
    toast({ title: 'Offer Expiring Soon', description: `The price is held for ${held}. Please complete your booking.`, tone: 'warning' })
  }, [soon, step, held])
  return now
}
