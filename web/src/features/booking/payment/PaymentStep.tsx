import type { Money } from '@passerelle/contracts/http/common'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Booking.module.css'
import type { PaysWith } from '../model/bank-question.ts'
import { type CheckoutState, isBusy, usableHold } from '../model/checkout-state.ts'
import type { OfferCheck } from '../model/verification.ts'
import { AlreadyBooked } from './AlreadyBooked.tsx'
import { CardForm } from './CardForm.tsx'
import { HeldPayment } from './HeldPayment.tsx'

/** In live mode alone. */
const LiveCardForm = lazy(async () => ({ default: (await import('./LiveCardForm.tsx')).LiveCardForm }))

type Props = {
  state: CheckoutState
  total: Money
  /** Cards are entered in the provider's own fields. */
  live: boolean
  /** The server itself said that this is test mode. */
  saidTest: boolean
  /** The offer is over; the search comes in a moment. */
  over: boolean
  latest: OfferCheck | null
  onPay: (pays: PaysWith | null) => Promise<void>
  onBack: () => void
}

export function PaymentStep({ state, total, live, saidTest, over, latest, onPay, onBack }: Props) {
  const { notice, price, phase } = state
  const paying = isBusy(state)
  const uncertain = phase === 'uncertain'
  // While a card that was just entered pays, its form stays.
  const hold = paying && state.attempt?.withCard ? null : usableHold(state, total)
  const priceAlert = useRef<HTMLDivElement>(null)
  const before = price?.before ?? null
  const failure = notice?.kind === 'payment' ? notice : null
  const refused = latest?.state === 'refused' ? latest.message : null

  useEffect(() => {
    if (before) priceAlert.current?.focus()
  }, [before])

  useEffect(() => {
    if (refused) toast({ title: 'Offer Validation Failed', description: refused, tone: 'negative' })
  }, [refused])

  return (
    <div className={styles.stack}>
      {before && (
        <Alert tone="warning" role="alert" ref={priceAlert} title="The price of this flight has changed.">
          It was {formatMoney(before.amount, before.currency)} and is now {formatMoney(total.amount, total.currency)}. Your card was not
          charged. To go on at the new price, pay below.
        </Alert>
      )}
      {notice?.kind === 'failed' && !uncertain && <Alert tone="negative">{notice.message}</Alert>}
      {notice?.kind === 'exists' && <AlreadyBooked bookingId={notice.bookingId} />}
      {latest?.state === 'unverified' && !paying && (
        <Alert tone="warning" role="status" title="Unable to verify offer validity...">
          {latest.message} We check again every 15 seconds.
        </Alert>
      )}
      {hold ? (
        <HeldPayment hold={hold} uncertain={uncertain} paying={paying} over={over} onPress={() => void onPay(null)} />
      ) : live ? (
        <Suspense fallback={<Skeleton width="100%" height={420} radius={12} />}>
          <LiveCardForm
            total={total}
            phase={phase}
            cardLast4={state.attempt?.cardLast4 ?? null}
            over={over}
            notice={failure}
            onPay={onPay}
          />
        </Suspense>
      ) : (
        <CardForm
          total={total}
          saidTest={saidTest}
          paying={paying}
          over={over}
          notice={failure}
          onPay={(card) => onPay({ kind: 'card', card })}
        />
      )}
      <div className={styles.actions}>
        <Button onClick={onBack} disabled={paying || uncertain}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back to Seat Selection
        </Button>
      </div>
    </div>
  )
}
