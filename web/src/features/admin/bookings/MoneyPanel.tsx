import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { fromMinor, subtractAmounts } from '@passerelle/contracts/rules/money'
import type { ReactNode } from 'react'
import admin from '../Admin.module.css'
import { Panel } from '../Panel.tsx'
import styles from './MoneyPanel.module.css'
import { DISPUTES, exact, paymentWords } from './words.ts'

/** What was paid, where it goes, and what the card provider has of it. */
export function MoneyPanel({ booking }: { booking: OfficeBooking }) {
  const { charged, supplierCharge, payment, actions, reversal } = booking
  const { currency } = charged
  const markup = supplierCharge.currency === currency ? subtractAmounts(charged.amount, supplierCharge.amount) : null
  const onCard = payment && { amount: fromMinor(payment.amountMinor, payment.currency), currency: payment.currency }
  const refunded = payment && { amount: fromMinor(payment.refundedMinor, payment.currency), currency: payment.currency }
  const last4 = payment?.cardLast4 ?? booking.booking.cardLast4
  return (
    <Panel title="Money" aside={currency}>
      <Part title="Where it goes">
        <Line name="Supplier’s price">{exact(supplierCharge)}</Line>
        {markup !== null && <Line name={`Markup ${booking.markupPercent}%, rounded`}>{exact({ amount: markup, currency })}</Line>}
        <Line name="Price" sum>
          {exact(charged)}
        </Line>
      </Part>
      <Part title={last4 ? `On the card ending ${last4}` : 'On the card'}>
        <Line name={paymentWords(payment)}>{onCard ? exact(onCard) : ''}</Line>
        {refunded && <Line name="Refunded">{exact(refunded)}</Line>}
        {reversal && Number(reversal.refunded.amount) > 0 && (
          <Line name="Of it in the provider’s dashboard">{exact(reversal.refunded)}</Line>
        )}
        {reversal?.dispute && <Line name={DISPUTES[reversal.dispute]}>{exact(reversal.disputed)}</Line>}
        {actions.refund?.suggested && (
          <Line name="Can be refunded" sum>
            {exact(actions.refund.suggested)}
          </Line>
        )}
      </Part>
    </Panel>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={admin.part}>
      <h3>{title}</h3>
      <dl className={styles.sums}>{children}</dl>
    </div>
  )
}

function Line({ name, sum = false, children }: { name: string; sum?: boolean; children: ReactNode }) {
  return (
    <div data-sum={sum || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
