import { formatMoney } from '@passerelle/contracts/rules/money'
import { Alert } from '../../../ui/Alert.tsx'
import type { Notice } from '../use-payment.ts'

/** Why the last press did not lead to a booking. */
export function PaymentNotice({ notice }: { notice: Notice }) {
  switch (notice.kind) {
    case 'price':
      return (
        <Alert tone="warning" role="alert" title="The price has changed.">
          It was {formatMoney(notice.from.amount, notice.from.currency)} and is now{' '}
          <b>{formatMoney(notice.to.amount, notice.to.currency)}</b>. Your card was not charged. You can pay the new price or go back.
        </Alert>
      )
    case 'booking':
      return (
        <Alert tone="negative" title="The booking was not made.">
          {notice.message} Your card was not charged; what was held is released.
        </Alert>
      )
    case 'unknown':
      return (
        <Alert tone="warning" role="alert" title="We do not know yet whether the booking was made.">
          {notice.message}
        </Alert>
      )
  }
}
