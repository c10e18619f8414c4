import type { Money } from '@passerelle/contracts/http/common'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { useQueryClient } from '@tanstack/react-query'
import { Lock, ShieldCheck } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { systemModeQuery } from '../../../lib/queries.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import layout from '../Booking.module.css'
import type { PaysWith } from '../model/bank-question.ts'
import { isBusy, type Notice, type Phase } from '../model/checkout-state.ts'
import styles from './LiveCardForm.module.css'
import { PayFoot } from './PayFoot.tsx'
import { PaymentAlert } from './PaymentAlert.tsx'
import { useCardFrame } from './use-card-frame.ts'

type Props = {
  total: Money
  phase: Phase
  cardLast4: string | null
  over: boolean
  /** Why the last attempt failed. */
  notice: Extract<Notice, { kind: 'payment' }> | null
  onPay: (pays: PaysWith) => Promise<void>
}

/** Live mode: the number is typed into the card provider's own fields, and the bank's question stands in their place. */
export function LiveCardForm({ total, phase, cardLast4, over, notice, onPay }: Props) {
  const queryClient = useQueryClient()
  const { frame, loadKey, address, state, height, makeMethod, ask, reload } = useCardFrame(
    total,
    () => void queryClient.invalidateQueries(systemModeQuery),
  )
  const [reading, setReading] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const alert = useRef<HTMLDivElement>(null)
  const alertId = useId()
  const asking = phase === 'action-required'
  const paying = reading || isBusy({ phase })

  // Another card is wanted: the fields are emptied, and the reason is in view.
  useEffect(() => {
    if (!notice) return
    if (notice.declined) reload()
    alert.current?.focus()
  }, [notice, reload])

  useEffect(() => {
    if (!asking) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start', behavior: 'instant' })
  }, [asking])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (paying || over || state !== 'ready') return
    setReading(true)
    const made = await makeMethod().finally(() => setReading(false))
    if (made?.type === 'method') await onPay({ kind: 'method', paymentMethodId: made.paymentMethodId, cardLast4: made.cardLast4, ask })
    else if (made) toast({ title: 'Please check your card', description: made.message, tone: 'negative' })
  }

  return (
    <form
      className={`card ${layout.pad} ${styles.form}`}
      noValidate
      aria-labelledby="card-heading"
      onSubmit={(event) => void submit(event)}
    >
      <div className={styles.head}>
        <h2 id="card-heading" ref={heading} tabIndex={-1}>
          {asking ? 'Your bank asks you to confirm' : 'Card details'}
        </h2>
        {!asking && (
          <span>
            <Lock size={16} strokeWidth={2} aria-hidden="true" />
            Encrypted
          </span>
        )}
      </div>
      {asking && (
        <p className={styles.lead}>
          One more step{cardLast4 ? ` for the card ending ${cardLast4}` : ''}. When the bank has agreed, the booking goes on by itself:
          please keep this page open.
        </p>
      )}
      {notice && !asking && <PaymentAlert notice={notice} id={alertId} ref={alert} />}
      {state === 'failed' ? (
        <Alert tone="negative" title="The secure card form could not be loaded.">
          Nothing was charged. Something between you and our card provider may block it, such as an extension of your browser.
        </Alert>
      ) : (
        <div className={asking ? styles.bank : styles.fields} inert={paying && !asking}>
          {asking && (
            <p className={styles.bar}>
              <Lock size={16} strokeWidth={2} aria-hidden="true" />
              Your bank’s page
            </p>
          )}
          {state === 'loading' && (
            <p className={styles.loading} role="status">
              Loading the secure card form...
            </p>
          )}
          <iframe
            key={loadKey}
            ref={frame}
            src={address}
            title={asking ? 'Your bank’s page' : 'Card details'}
            className={asking ? styles.question : styles.frame}
            style={asking ? undefined : { height }}
          />
        </div>
      )}
      {asking ? (
        <Asking onLeave={reload} />
      ) : state === 'failed' ? (
        <Button variant="solid" size="lg" full onClick={reload}>
          Try again
        </Button>
      ) : (
        <PayFoot over={over} paying={paying} disabled={state !== 'ready'} label={`Pay ${formatMoney(total.amount, total.currency)}`} />
      )}
    </form>
  )
}

function Asking({ onLeave }: { onLeave: () => void }) {
  return (
    <>
      <p className={styles.assurance}>
        <ShieldCheck size={16} strokeWidth={2} aria-hidden="true" />
        <span>
          This box belongs to your bank. We do not see what you type in it. Your card is charged only when the airline confirms the seats.
        </span>
      </p>
      <div className={styles.waiting}>
        <p role="status">
          <strong>Waiting for your bank</strong>
          <br />
          <span>Nothing has been charged.</span>
        </p>
        <Button onClick={onLeave}>Use another card</Button>
      </div>
    </>
  )
}
