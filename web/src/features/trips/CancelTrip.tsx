import { formatExactMoney } from '@passerelle/contracts/rules/money'
import { useRef } from 'react'
import { cancelKind, cardOf, datesOf, ledgerOf, passengersOf, routeOf, type Trip } from '../../lib/trip.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { NonRefundable } from '../../ui/flight/BookingDetails.tsx'
import { Ledger } from '../../ui/flight/Ledger.tsx'
import styles from './Trips.module.css'
import { useCancelTrip, useRefundQuote, useTrip } from './use-trips.ts'

type Props = { open: boolean; id: string; onClose: () => void }

/** Asks once, says what goes back, and only then cancels. */
export function CancelTrip({ open, id, onClose }: Props) {
  const { data: trip, isFetching } = useTrip(id)
  const asking = useRefundQuote(trip, !isFetching)
  return trip ? <Question open={open} trip={trip} sure={!isFetching && !asking} onClose={onClose} /> : null
}

type QuestionProps = {
  open: boolean
  trip: Trip /** What the airline gives back was asked a moment ago. */
  sure: boolean
  onClose: () => void
}

function Question({ open, trip, sure, onClose }: QuestionProps) {
  const keep = useRef<HTMLButtonElement>(null)
  const kind = cancelKind(trip)
  const ledger = ledgerOf(trip)
  const cancelling = useCancelTrip(trip, onClose)
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
            <Button variant="danger" busy={cancelling.isPending || !sure} onClick={() => cancelling.mutate()}>
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
      {kind === 'refund' && ledger && <Ledger ledger={ledger} sum={`Refund to ${cardOf(trip)}`} />}
      {kind === 'refund' && (
        <p className={`muted ${styles.small}`}>
          {ledger
            ? ''
            : sure
              ? 'The airline tells what it gives back when the booking is cancelled: money to your card, or credit that stays with the airline. '
              : 'Asking the airline what it gives back... '}
          Requests are processed within 24-48 hours; refunds take 7-30 business days.
        </p>
      )}
    </Dialog>
  )
}
