import type { Money } from '@passerelle/contracts/http/common'
import { formatExactMoney } from '@passerelle/contracts/rules/money'
import styles from './Ledger.module.css'

type Props = { ledger: { paid: Money; kept: Money; returned: Money }; sum: string }

const exact = ({ amount, currency }: Money) => formatExactMoney(amount, currency)

/** What a cancellation does to the money, to the cent. */
export function Ledger({ ledger: { paid, kept, returned }, sum }: Props) {
  return (
    <dl className={`${styles.ledger} numerals`}>
      <div>
        <dt>Paid</dt>
        <dd>{exact(paid)}</dd>
      </div>
      <div>
        <dt>Service and airline fees, not refundable</dt>
        <dd>−{exact(kept)}</dd>
      </div>
      <div className={styles.sum}>
        <dt>{sum}</dt>
        <dd>{exact(returned)}</dd>
      </div>
    </dl>
  )
}
