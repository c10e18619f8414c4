import { Lock } from 'lucide-react'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { Button } from '../../../ui/Button.tsx'
import styles from './Payment.module.css'

type Props = {
  over: boolean
  paying: boolean /** The fields are not there yet. */
  disabled?: boolean /** Of the button. */
  label: string
}

/** The button that pays, and what pressing it means. */
export function PayFoot({ over, paying, disabled = false, label }: Props) {
  return (
    <div className={styles.foot}>
      <Button type="submit" variant="solid" size="lg" full disabled={over || disabled} busy={paying}>
        {!paying && <Lock size={16} strokeWidth={2} aria-hidden="true" />}
        {over ? 'Offer Expired' : paying ? 'Paying...' : label}
      </Button>
      <p>
        Your card is authorised now and charged only when the airline confirms the seats. By paying you accept the{' '}
        <Link to={paths.terms} target="_blank">
          Terms
        </Link>{' '}
        and the{' '}
        <Link to={paths.cancellation} target="_blank">
          Cancellation Policy
        </Link>
        .
      </p>
    </div>
  )
}
