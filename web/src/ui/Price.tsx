import { formatMoney } from '@passerelle/contracts/rules/money'
import styles from './Price.module.css'

type Props = { amount: string | null | undefined; currency: string | null | undefined; size?: 'large' | 'small' }

/** An amount a customer pays, in its own currency, without decimals. Never give it a supplier's amount. */
export function Price({ amount, currency, size = 'large' }: Props) {
  return <span className={`${styles.price} ${styles[size]}`}>{formatMoney(amount, currency)}</span>
}
