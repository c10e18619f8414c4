import type { FlightOffer } from '@passerelle/contracts/http/search'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { dropOffer } from '../../lib/gone-offer.ts'
import { readLastSearch } from '../../lib/last-search.ts'
import { useNavigate } from '../../lib/router.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import { REDIRECT_MS, searchAfterExpiry } from './model/expiry.ts'
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
