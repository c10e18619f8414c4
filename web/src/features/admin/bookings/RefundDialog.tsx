import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { compareAmounts, subtractAmounts } from '@passerelle/contracts/rules/money'
import { useRef, useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Choice.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextareaField, TextField } from '../../../ui/Field.tsx'
import styles from './Case.module.css'
import { useOperation } from './use-operation.ts'
import { exact, routeWords, travellerWords } from './words.ts'

type Props = { open: boolean; booking: OfficeBooking; onClose: () => void }

const AMOUNT = /^\d+(\.\d+)?$/
const WHY = 'Please say how the airline confirmed it.'

/** The airline has released the tickets, as it told a person: the booking ends and the card gets its money back. */
export function RefundDialog({ open, booking, onClose }: Props) {
  const { id, charged, reference, actions, travellers, booking: seen } = booking
  const { currency } = charged
  const suggested = actions.refund?.suggested ?? null
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [released, setReleased] = useState(false)
  const [missing, setMissing] = useState<Record<string, string>>({})
  const keep = useRef<HTMLButtonElement>(null)
  const { busy, refusal, run } = useOperation(id)
  const amount = suggested?.amount ?? typed.trim()
  const known = AMOUNT.test(amount) && compareAmounts(amount, charged.amount) <= 0
  const errors = { ...missing, ...refusal?.fields }
  const name = known && Number(amount) > 0 ? `Cancel and refund ${exact({ amount, currency })}` : 'Cancel the booking'

  async function press(): Promise<void> {
    const found = {
      ...(!known && { refund: `Please enter an amount of at most ${exact(charged)}` }),
      ...(reason.trim() === '' && { reason: WHY }),
      ...(!released && { released: 'Please confirm that the airline has released the tickets' }),
    }
    setMissing(found)
    if (Object.keys(found).length > 0) return
    const body = { refund: amount, reason, released: true as const }
    if (await run((options) => api.refundBooking({ params: { id }, body }, options), 'Cancelled')) onClose()
  }

  return (
    <Dialog
      open={open}
      onClose={() => !busy && onClose()}
      role="alertdialog"
      initialFocus={keep}
      title={`${name}?`}
      description={`Booking ${reference}, ${travellerWords(booking)}, ${routeWords(booking)}, ${countNoun(travellers, 'traveller')}. The seats are given up and the card gets its money back. This cannot be undone.`}
      footer={
        <>
          <Button ref={keep} disabled={busy} onClick={onClose}>
            Keep the booking
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void press()}>
            {name}
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        {suggested ? (
          <dl className={`${styles.ledger} numerals`}>
            <div>
              <dt>{booking.captured ? 'Paid' : 'Price'}</dt>
              <dd>{exact(charged)}</dd>
            </div>
            <div>
              <dt>Not refunded</dt>
              <dd>−{exact({ amount: subtractAmounts(charged.amount, suggested.amount), currency })}</dd>
            </div>
            <div data-sum>
              <dt>{seen.cardLast4 ? `Refund to card ending ${seen.cardLast4}` : 'Refund to the card'}</dt>
              <dd>{exact(suggested)}</dd>
            </div>
          </dl>
        ) : (
          <TextField
            label={`Refund to the card, in ${currency}`}
            inputMode="decimal"
            value={typed}
            error={errors.refund}
            hint={`At most ${exact(charged)}.`}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {refusal && Object.keys(refusal.fields).length === 0 && <Alert tone="negative">{refusal.message}</Alert>}
        <TextareaField
          label="How did the airline confirm it?"
          hint="Kept in the audit with your name. The traveller does not see it."
          error={errors.reason}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div>
          <Check checked={released} onChange={(event) => setReleased(event.target.checked)}>
            The airline has released {travellers === 1 ? 'the ticket' : `all ${travellers} tickets`}
            {seen.airlineReference && ` (${seen.airlineReference})`}, or there is none
          </Check>
          {errors.released && (
            <p className={styles.error} role="alert">
              {errors.released}
            </p>
          )}
        </div>
        <p className={styles.small}>Done once, even when two people press.</p>
      </div>
    </Dialog>
  )
}
