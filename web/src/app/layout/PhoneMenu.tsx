import type { User } from '@passerelle/contracts/http/identity'
import { LogIn, LogOut, Mail, Phone, UserPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { initialOf, logOut } from '../../lib/session.ts'
import { Sheet } from '../../ui/Sheet.tsx'
import { mail, paths, telephone } from '../paths.ts'
import { accountLinks } from './account-links.ts'
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
            <span className={styles.avatar} aria-hidden="true">
              {initialOf(user)}
            </span>
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
          <ul className={styles.list}>
            {NAVIGATION.map((item) => (
              <li key={item.to}>
                <Link to={item.to} aria-current={isCurrent(item, pathname) ? 'page' : undefined}>
                  <item.icon size={20} strokeWidth={1.75} aria-hidden="true" />
                  {item.label}
                </Link>
              </li>
            ))}
            <li>
              <a href={mail(contact.email)}>
                <Mail size={20} strokeWidth={1.75} aria-hidden="true" />
                Contact us
              </a>
            </li>
          </ul>
          <ul className={styles.list}>
            {user ? (
              <>
                {accountLinks(user)
                  .filter((link) => link.to !== paths.trips)
                  .map(({ to, label, icon: Icon }) => (
                    <li key={to}>
                      <Link to={to} aria-current={pathname === to ? 'page' : undefined}>
                        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
                        {label}
                      </Link>
                    </li>
                  ))}
                <li>
                  <button type="button" onClick={() => void logOut()}>
                    <LogOut size={20} strokeWidth={1.75} aria-hidden="true" />
                    Log Out
                  </button>
                </li>
              </>
            ) : (
              <>
                <li>
                  <Link to={paths.login}>
                    <LogIn size={20} strokeWidth={1.75} aria-hidden="true" />
                    Log In
                  </Link>
                </li>
                <li>
                  <Link to={paths.register}>
                    <UserPlus size={20} strokeWidth={1.75} aria-hidden="true" />
                    Sign Up
                  </Link>
                </li>
              </>
            )}
          </ul>
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
