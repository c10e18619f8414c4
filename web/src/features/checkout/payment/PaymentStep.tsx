import type { Money } from '@passerelle/contracts/http/common'
import { type CardDetails, cardProblem } from '@passerelle/contracts/rules/card'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { ArrowLeft, Lock } from 'lucide-react'
import { useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router-dom'
import { paths } from '../../../app/paths.ts'
import { useSystemMode } from '../../../lib/system-mode.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../../booking/Booking.module.css'
import type { OfferCheck } from '../../booking/model/verification.ts'
import { CheckAlert } from '../CheckAlert.tsx'
import type { Payment } from '../use-payment.ts'
import { CardFields } from './CardFields.tsx'
import cardStyles from './Payment.module.css'
import { PaymentNotice } from './PaymentNotice.tsx'
import { TestCard } from './TestCard.tsx'

type Props = {
  payment: Payment
  total: Money
  check: OfferCheck | null
  /** The offer is over; the search comes in a moment. */
  over: boolean
  onBack: () => void
}

const EMPTY: CardDetails = { number: '', expiryMonth: '', expiryYear: '', cvv: '', holderName: '' }

export function PaymentStep({ payment, total, check, over, onBack }: Props) {
  const { saidTest } = useSystemMode()
  const form = useForm<CardDetails>({ defaultValues: EMPTY })
  const heading = useId()
  // A press between two renderings finds this, not the state.
  const pressed = useRef(false)
  const amount = formatMoney(total.amount, total.currency)
  const { busy, notice, cardDone } = payment

  async function submit(card: CardDetails): Promise<void> {
    if (pressed.current) return
    const problem = cardDone ? null : cardProblem(card, new Date())
    if (problem) {
      form.clearErrors()
      form.setError(problem.field, { message: 'Please check this field.' })
      form.setFocus(problem.field)
      toast({ title: problem.title, description: problem.message, tone: 'negative' })
      return
    }
    pressed.current = true
    try {
      if ((await payment.pay(cardDone ? null : card)) === 'clear-card') {
        form.reset({ ...EMPTY, holderName: card.holderName })
        // The fields are locked until the answer is on the screen.
        requestAnimationFrame(() => form.setFocus('number'))
      }
    } finally {
      pressed.current = false
    }
  }

  return (
    <>
      <form
        className={`card ${styles.pad} ${cardStyles.form}`}
        aria-labelledby={heading}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!over) void submit(form.getValues())
        }}
      >
        <div className={cardStyles.head}>
          <h2 id={heading}>Card details</h2>
          <span>
            <Lock size={16} strokeWidth={2} aria-hidden="true" />
            Encrypted
          </span>
        </div>
        <CheckAlert check={check} />
        {notice && <PaymentNotice notice={notice} />}
        {cardDone ? (
          <Alert tone="info" title={cardDone === 'held' ? `${amount} is held on your card.` : 'Your card is not charged a second time.'}>
            {cardDone === 'held' ? (
              <>
                Pay again to complete the booking with it, or{' '}
                <LinkButton disabled={busy} onClick={payment.forgetHold}>
                  use another card
                </LinkButton>
                ; what is not used is released.
              </>
            ) : (
              'Pay again to ask for the same booking once more.'
            )}
          </Alert>
        ) : (
          <>
            {saidTest && <TestCard />}
            <CardFields form={form} locked={busy || over} />
          </>
        )}
        <div className={cardStyles.pay}>
          <Button type="submit" variant="solid" size="lg" full busy={busy} disabled={over}>
            {!busy && <Lock size={16} strokeWidth={2} aria-hidden="true" />}
            {busy ? 'Paying...' : over ? 'Offer Expired' : `Pay ${amount}`}
          </Button>
          <p>
            Your card is authorised now and charged only when the airline confirms the seats. By paying you accept the{' '}
            <Link to={paths.terms}>Terms</Link> and the <Link to={paths.cancellation}>Cancellation Policy</Link>.
          </p>
        </div>
      </form>
      <div className={styles.actions}>
        <Button variant="line" disabled={busy} onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back to Seat Selection
        </Button>
      </div>
    </>
  )
}
