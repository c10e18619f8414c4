import type { User } from '@passerelle/contracts/http/identity'
import { useSearchParams } from '../../lib/router.ts'
import { useUser } from '../../lib/session.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './Account.module.css'
import { ProfileTab } from './profile/ProfileTab.tsx'
import { SecurityTab } from './security/SecurityTab.tsx'

/** The account of whoever is signed in; the table of screens leads others to the sign-in. `?tab=` names the tab. */
export function AccountPage() {
  const user = useUser()
  return user ? <Account user={user} /> : null
}

function Account({ user }: { user: User }) {
  const [query, setQuery] = useSearchParams()
  const tab = query.get('tab') === 'profile' ? 'profile' : 'security'

  function open(name: string): void {
    setQuery(name === 'security' ? {} : { tab: name }, { replace: true, preventScrollReset: true })
  }

  return (
    <div className={`wrap ${styles.page}`}>
      <h1>Account settings</h1>
      <Tabs
        label="Account settings"
        value={tab}
        onChange={open}
        listClassName={styles.tabs}
        panelClassName={styles.panel}
        tabs={[
          { value: 'profile', label: 'Profile', content: <ProfileTab user={user} /> },
          {
            value: 'security',
            label: 'Security',
            content: (
              <>
                {user.mustChangePassword && (
                  <div className={styles.notice}>
                    <Alert tone="warning" title="Your password was made for you.">
                      Please choose one of your own.
                    </Alert>
                  </div>
                )}
                <SecurityTab user={user} onProfile={() => open('profile')} />
              </>
            ),
          },
        ]}
      />
    </div>
  )
}
