import { groupCardNumber, TEST_CARD_NUMBER } from '@passerelle/contracts/rules/card'
import { Copy, FlaskConical } from 'lucide-react'
import { Button } from '../../../ui/Button.tsx'
import { copyText } from '../../booking/copy-text.ts'
import styles from './Payment.module.css'

/** Only where the server itself says that this is test mode. */
export function TestCard() {
  return (
    <div className={styles.test}>
      <FlaskConical size={20} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <p>Test mode: no real charge. Use this card with any future date and code.</p>
        <code>{groupCardNumber(TEST_CARD_NUMBER)}</code>
      </div>
      <Button className={styles.copy} size="sm" variant="line" onClick={() => void copyText(TEST_CARD_NUMBER)}>
        <Copy size={16} strokeWidth={2} aria-hidden="true" />
        Copy
        <span className="visually-hidden"> test card number</span>
      </Button>
    </div>
  )
}
