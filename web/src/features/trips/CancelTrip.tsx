import { formatExactMoney } from '@passerelle/contracts/rules/money'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, messageOf } from '../../lib/api-client.ts'
import { forgetUserOn401 } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'
import { cancelKind, cardOf, datesOf, ledgerOf, passengersOf, routeOf, type Trip } from './model/trip.ts'
import { NonRefundable } from './TripDetails.tsx'
import styles from './Trips.module.css'

type Props = { open: boolean; trip: Trip; onClose: () => void }

/** Asks once, says what goes back, and only then cancels. */
export function CancelTrip({ open, trip, onClose }: Props) {
  const queryClient = useQueryClient()
  const keep = useRef<HTMLButtonElement>(null)
  const kind = cancelKind(trip)
  const ledger = ledgerOf(trip)
  const cancelling = useMutation({
    mutationFn: () => api.cancelBooking({ params: { id: trip.id } }),
    onSuccess: async (answer) => {
      const settled = answer.status === 'cancelled'
      toast({
        tone: settled ? 'positive' : 'info',
        title: settled ? 'Booking cancelled' : 'Cancellation requested',
        description: answer.message,
      })
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['/api/bookings'] })
    },
    onError: (error) => {
      forgetUserOn401(queryClient, error)
      toast({ tone: 'negative', title: 'Cancellation failed', description: messageOf(error, 'Something went wrong. Please try again.') })
      onClose()
    },
  })
  const about = `${routeOf(trip)}, ${datesOf(trip)}, ${passengersOf(trip)}.`
  return (
    <Dialog
      open={open}
      onClose={() => !cancelling.isPending && onClose()}
      role="alertdialog"
      initialFocus={keep}
      title="Cancel this trip?"
      description={
        kind === 'pending'
          ? `${about} The airline has not answered yet: the booking is cancelled as soon as it does, and your card is not charged.`
          : `${about} Every seat on these flights is given up. This cannot be undone.`
      }
      footer={
        <>
          <Button variant="line" onClick={onClose} disabled={cancelling.isPending} ref={keep}>
            Keep trip
          </Button>
          {kind !== 'fixed' && (
            <Button variant="danger" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
              {cancelling.isPending
                ? 'Cancelling...'
                : ledger
                  ? `Cancel trip, refund ${formatExactMoney(ledger.returned.amount, ledger.returned.currency)}`
                  : 'Cancel trip'}
            </Button>
          )}
        </>
      }
    >
      {kind === 'fixed' && <NonRefundable />}
      {kind === 'refund' && ledger && (
        <dl className={`${styles.ledger} numerals`}>
          <div>
            <dt>Paid</dt>
            <dd>{formatExactMoney(ledger.paid.amount, ledger.paid.currency)}</dd>
          </div>
          <div>
            <dt>Service and airline fees, not refundable</dt>
            <dd>−{formatExactMoney(ledger.kept.amount, ledger.kept.currency)}</dd>
          </div>
          <div className={styles.sum}>
            <dt>Refund to {cardOf(trip)}</dt>
            <dd>{formatExactMoney(ledger.returned.amount, ledger.returned.currency)}</dd>
          </div>
        </dl>
      )}
      {kind === 'refund' && (
        <p className={`muted ${styles.small}`}>
          {ledger
            ? ''
            : 'The airline tells what it gives back when the booking is cancelled: money to your card, or credit that stays with the airline. '}
          Requests are processed within 24-48 hours; refunds take 7-30 business days.
        </p>
      )}
    </Dialog>
  )
}
