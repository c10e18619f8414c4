import type { Ending, OfficeBooking } from '@passerelle/contracts/http/back-office'
import { useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Choice.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextareaField } from '../../../ui/Field.tsx'
import styles from './Case.module.css'
import { useOperation } from './use-operation.ts'
import { exact } from './words.ts'

type Props = { open: boolean; booking: OfficeBooking; onClose: () => void }

const ENDINGS: Record<Ending, string> = {
  stands: 'The booking stands, the traveller flies',
  ended: 'Cancelled and refunded outside this system',
}

/** Somebody has settled it elsewhere: it leaves the list, and nothing else happens. */
export function SettleDialog({ open, booking, onClose }: Props) {
  const { id, reference, charged, captured, actions } = booking
  const [ending, setEnding] = useState<Ending>(actions.settle[0] ?? 'ended')
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const { busy, refusal, run } = useOperation(id)
  const error = missing ? 'Please say why: whoever reads this next year was not there.' : refusal?.fields.reason

  async function press(): Promise<void> {
    setMissing(reason.trim() === '')
    if (reason.trim() === '') return
    if (await run((options) => api.settleBooking({ params: { id }, body: { reason, ending } }, options), 'Marked as settled')) onClose()
  }

  return (
    <Dialog
      open={open}
      onClose={() => !busy && onClose()}
      title="Mark as settled?"
      description={`Booking ${reference} leaves “Needs attention”. Nothing is sent to the airline and no money moves${
        captured ? `: the card stays charged with ${exact(charged)}` : ''
      }.`}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Not yet
          </Button>
          <Button variant="solid" busy={busy} onClick={() => void press()}>
            Mark as settled
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        {refusal && !refusal.fields.reason && <Alert tone="negative">{refusal.message}</Alert>}
        <fieldset>
          <legend>How does it end?</legend>
          {actions.settle.map((one) => (
            <Check key={one} type="radio" name="ending" checked={ending === one} onChange={() => setEnding(one)}>
              {ENDINGS[one]}
            </Check>
          ))}
        </fieldset>
        <TextareaField label="Reason" error={error} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
      </div>
    </Dialog>
  )
}
