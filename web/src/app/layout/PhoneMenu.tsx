import type { User } from '@passerelle/contracts/http/identity'
import { LogIn, Mail, Phone, UserPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { mail, paths, telephone } from '../../lib/paths.ts'
import { useLocation } from '../../lib/router.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { Avatar } from './Avatar.tsx'
import { AccountEntries, MenuEntries, MenuEntry } from './MenuEntries.tsx'
import { isCurrent, NAVIGATION } from './navigation.ts'
import styles from './PhoneMenu.module.css'

/** The header's items on a phone, from the right. */
export function PhoneMenu({ open, onClose, user }: { open: boolean; onClose: () => void; user: User | null }) {
  const { pathname, key } = useLocation()
  const { contact } = useBrand()
  const fullName = user ? `${user.firstName} ${user.lastName}`.trim() || user.username : ''

  const shownOn = useRef(key)
  useEffect(() => {
    if (shownOn.current === key) return
    shownOn.current = key
    onClose()
  }, [key, onClose])

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title="Menu"
      closeLabel="Close menu"
      placement="end"
      heading={
        user ? (
          <div className={styles.who}>
            <Avatar user={user} />
            <div className={styles.names}>
              <h2>{fullName}</h2>
              <p>{user.email}</p>
            </div>
          </div>
        ) : undefined
      }
    >
      <div className={styles.body}>
        <nav aria-label="Main menu">
          <div className={styles.group}>
            <MenuEntries roomy>
              {NAVIGATION.map((item) => (
                <MenuEntry key={item.to} to={item.to} icon={item.icon} current={isCurrent(item, pathname)}>
                  {item.label}
                </MenuEntry>
              ))}
              <MenuEntry href={mail(contact.email)} icon={Mail}>
                Contact us
              </MenuEntry>
            </MenuEntries>
          </div>
          <div className={styles.group}>
            <MenuEntries roomy>
              {user ? (
                // My Trips stands above already.
                <AccountEntries user={user} except={paths.trips} />
              ) : (
                <>
                  <MenuEntry to={paths.login} icon={LogIn}>
                    Log In
                  </MenuEntry>
                  <MenuEntry to={paths.register} icon={UserPlus}>
                    Sign Up
                  </MenuEntry>
                </>
              )}
            </MenuEntries>
          </div>
        </nav>
        <a className={styles.call} href={telephone(contact.phone)}>
          <Phone size={20} strokeWidth={1.75} aria-hidden="true" />
          <span>
            <b>{contact.phone}</b>
            <small>Call us, 24/7</small>
          </span>
        </a>
      </div>
    </Sheet>
  )
}
