import { groupCardNumber, TEST_CARD_NUMBER } from '@passerelle/contracts/rules/card'
import { Copy, FlaskConical } from 'lucide-react'
import { copyText } from '../../../ui/copy-text.ts'
import styles from './Payment.module.css'

/** Only where the server itself said "test". */
export function TestCard() {
  return (
    <div className={styles.test}>
      <FlaskConical size={20} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <p>Test mode: no real charge. Use this card with any future date and code.</p>
        <b>{groupCardNumber(TEST_CARD_NUMBER)}</b>
      </div>
      <button type="button" className={styles.copy} onClick={() => void copyText(TEST_CARD_NUMBER)}>
        <Copy size={16} strokeWidth={2} aria-hidden="true" />
        Copy<span className="visually-hidden"> test card number</span>
      </button>
    </div>
  )
}
