import { CircleX } from 'lucide-react'
import type { Ref } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import type { Notice } from '../model/checkout-state.ts'
import { paymentText } from '../model/payment-text.ts'

type Props = { notice: Extract<Notice, { kind: 'payment' }>; id: string; ref: Ref<HTMLDivElement> }

/** Why the card was not charged. Stays above the card number until the next attempt. */
export function PaymentAlert({ notice, id, ref }: Props) {
  return (
    <Alert tone="negative" icon={CircleX} title={notice.title} ref={ref}>
      <span id={id} style={{ display: 'block' }}>
        {paymentText(notice)}
      </span>
    </Alert>
  )
}
