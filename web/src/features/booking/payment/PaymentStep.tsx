import type { Money } from '@passerelle/contracts/http/common'
import { compareAmounts, formatMoney } from '@passerelle/contracts/rules/money'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Booking.module.css'
import type { OfferCheck } from '../model/verification.ts'
import { CardForm } from './CardForm.tsx'
import { HeldPayment } from './HeldPayment.tsx'
import { type PaymentProps, usePayment } from './use-payment.ts'

type Props = PaymentProps & {
  paying: boolean
  /** The offer is over; the search comes in a moment. */
  over: boolean
  /** The total that was shown before the server told another one. */
  before: Money | null
  latest: OfferCheck | null
  onBack: () => void
}

export function PaymentStep({ paying, over, before, latest, onBack, ...props }: Props) {
  const { total, held, saidTest } = props
  const { press, changed } = usePayment(props)
  const [failure, setFailure] = useState<string | null>(null)
  const priceAlert = useRef<HTMLDivElement>(null)
  const usable = held && held.total.currency === total.currency && compareAmounts(held.total.amount, total.amount) === 0
  const refused = latest?.state === 'refused' ? latest.message : null

  useEffect(() => {
    if (before) priceAlert.current?.focus()
  }, [before])

  useEffect(() => {
    if (refused) toast({ title: 'Offer Validation Failed', description: refused, tone: 'negative' })
  }, [refused])

  async function pay(card: Parameters<typeof press>[0]): Promise<boolean> {
    setFailure(null)
    const outcome = await press(card)
    if (outcome.kind === 'failed') setFailure(outcome.message)
    return outcome.kind === 'declined'
  }

  return (
    <div className={styles.stack}>
      {before && (
        <Alert tone="warning" role="alert" ref={priceAlert} title="The price of this flight has changed.">
          It was {formatMoney(before.amount, before.currency)} and is now {formatMoney(total.amount, total.currency)}. Your card was not
          charged. To go on at the new price, pay below.
        </Alert>
      )}
      {failure && !(usable && held.uncertain) && <Alert tone="negative">{failure}</Alert>}
      {latest?.state === 'unverified' && !paying && (
        <Alert tone="warning" role="status" title="Unable to verify offer validity...">
          {latest.message} We check again every 15 seconds.
        </Alert>
      )}
      {usable ? (
        <HeldPayment held={held} paying={paying} over={over} onPress={() => void pay(null)} />
      ) : (
        <CardForm total={total} saidTest={saidTest} paying={paying} over={over} onChange={changed} onPay={pay} />
      )}
      <div className={styles.actions}>
        <Button onClick={onBack} disabled={paying || Boolean(usable && held.uncertain)}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back to Seat Selection
        </Button>
      </div>
    </div>
  )
}
