import type { AccountInfo } from '@passerelle/contracts/http/booking'
import { Copy } from 'lucide-react'
import type { z } from 'zod'
import { IconButton } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import layout from '../Booking.module.css'
import styles from './Confirmation.module.css'

/** The account that the booking opened. The password is on this screen once and nowhere else. */
export function AccountPanel({ account }: { account: z.infer<typeof AccountInfo> }) {
  const rows = [
    { label: 'Username', value: account.username, copy: 'Copy username' },
    ...(account.password ? [{ label: 'Password', value: account.password, copy: 'Copy password' }] : []),
    { label: 'Email', value: account.email, copy: null },
  ]
  return (
    <section className={`card ${layout.pad} ${styles.panel}`} aria-labelledby="account-heading">
      <div>
        <h2 id="account-heading">We opened an account for you</h2>
        <p className={styles.lead}>
          {account.password
            ? 'You are signed in. Keep the password now: it is shown once and will be gone when you reload this page.'
            : 'You are signed in. We sent you a link by e-mail to choose a password.'}
        </p>
      </div>
      <dl className={styles.account}>
        {rows.map(({ label, value, copy }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
            {copy && (
              <dd>
                <IconButton aria-label={copy} onClick={() => void copyText(value)}>
                  <Copy size={16} strokeWidth={2} aria-hidden="true" />
                </IconButton>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </section>
  )
}
