import type { AccountInfo } from '@passerelle/contracts/http/booking'
import { Copy } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '../../../ui/Button.tsx'
import { copyText } from '../../booking/copy-text.ts'
import styles from './Confirmation.module.css'

/** The password lives in this page's memory alone: a reload cannot show it again. */
export function AccountPanel({ account }: { account: AccountInfo }) {
  const heading = useId()
  const rows = [
    { name: 'Username', value: account.username, label: 'Copy username' },
    ...(account.password ? [{ name: 'Password', value: account.password, label: 'Copy password' }] : []),
    { name: 'Email', value: account.email, label: 'Copy email' },
  ]
  return (
    <section className={`card ${styles.panel}`} aria-labelledby={heading}>
      <div>
        <h2 id={heading}>We opened an account for you</h2>
        <p className={styles.note}>
          You are signed in. {account.password && 'Keep the password now: it is shown once and will be gone when you reload this page.'}
        </p>
      </div>
      <dl className={styles.account}>
        {rows.map(({ name, value, label }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd>
              <IconButton aria-label={label} onClick={() => void copyText(value)}>
                <Copy size={16} strokeWidth={2} aria-hidden="true" />
              </IconButton>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
