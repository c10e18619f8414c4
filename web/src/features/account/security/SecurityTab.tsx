import type { User } from '@passerelle/contracts/http/identity'
import { useId } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { WithAside } from '../../../ui/WithAside.tsx'
import styles from '../Account.module.css'
import { Box } from '../Box.tsx'
import { passwordDate } from '../model/moments.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'

type Props = { user: User; onProfile: () => void }

export function SecurityTab({ user, onProfile }: Props) {
  return (
    <WithAside asideLabel="Overview" aside={<Overview user={user} onProfile={onProfile} />}>
      <div className={styles.stack}>
        <PasswordForm user={user} />
        <Sessions />
      </div>
    </WithAside>
  )
}

function Overview({ user, onProfile }: Props) {
  const twoFactor = useId()
  return (
    <Box title="Security overview" className={styles.side}>
      <dl className={styles.rows}>
        <div>
          <dt>Password</dt>
          <dd>Last updated: {passwordDate(user)}</dd>
        </div>
        <div>
          <dt>E-mail</dt>
          <dd>{user.emailVerified ? 'Confirmed' : 'Not confirmed yet'}</dd>
          {!user.emailVerified && (
            <dd className={styles.end}>
              <Button variant="line" size="sm" onClick={onProfile}>
                See profile
              </Button>
            </dd>
          )}
        </div>
        <div>
          <dt>Two-factor sign-in</dt>
          <dd id={twoFactor}>Off, coming soon</dd>
          <dd className={styles.end}>
            <Button variant="line" size="sm" disabled aria-describedby={twoFactor}>
              Enable
            </Button>
          </dd>
        </div>
      </dl>
    </Box>
  )
}
