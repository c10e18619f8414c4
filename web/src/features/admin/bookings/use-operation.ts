import type { CallOptions } from '@passerelle/contracts/client'
import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, messageOf } from '../../../lib/api-client.ts'
import { type Refusal, refusalOf } from '../../../lib/refusal.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { keys } from '../model/keys.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { officeBookingQuery } from './queries.ts'

type Call = (options: CallOptions) => Promise<OfficeBooking>

/** One operation on a booking. Sent again after a failure it is the same request: its key does it once. */
export function useOperation(id: string) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const key = useRef<string | null>(null)
  useAdminAccess(failure)

  /** True: it was done. */
  async function run(call: Call, done: string): Promise<boolean> {
    setBusy(true)
    setRefusal(null)
    key.current ??= crypto.randomUUID()
    try {
      const booking = await call({ headers: { 'idempotency-key': key.current } })
      key.current = null
      queryClient.setQueryData(officeBookingQuery(id).queryKey, booking)
      const still = booking.attention !== null
      toast({ title: done, ...(still && { description: 'It still needs attention.' }), tone: still ? 'info' : 'positive' })
      return true
    } catch (error) {
      // Refused as it is: the next request is another one.
      if (error instanceof ApiError && error.status < 500) key.current = null
      const words = 'This could not be done. Please try again.'
      setRefusal(refusalOf(error, words))
      setFailure(error)
      if (error instanceof ApiError && error.status === 409) {
        toast({ title: 'Not done', description: 'The booking has changed meanwhile.', tone: 'negative' })
        void queryClient.invalidateQueries({ queryKey: officeBookingQuery(id).queryKey })
      } else toast({ title: 'Not done', description: messageOf(error, words), tone: 'negative' })
      return false
    } finally {
      setBusy(false)
      void queryClient.invalidateQueries({ queryKey: [keys.bookings, 'attention'] })
      void queryClient.invalidateQueries({ queryKey: [keys.audit] })
    }
  }

  return { busy, refusal, run }
}
