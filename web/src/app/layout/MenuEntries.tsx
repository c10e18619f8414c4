import type { User } from '@passerelle/contracts/http/identity'
import { LogOut, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from '../../lib/router.ts'
import { logOut } from '../../lib/session.ts'
import { accountLinks } from './account-links.ts'
import styles from './MenuEntries.module.css'

/** A list of places to go and things to do. `roomy` for thumbs. */
export function MenuEntries({ roomy = false, children, ...rest }: { roomy?: boolean; id?: string; children: ReactNode }) {
  return (
    <ul className={roomy ? `${styles.list} ${styles.roomy}` : styles.list} {...rest}>
      {children}
    </ul>
  )
}

type Entry = { icon: LucideIcon; children: ReactNode }
/** A path of the site, an address of another kind, or something to do. */
type Leads = { to: string; current?: boolean } | { href: string } | { onClick: () => void }

export function MenuEntry({ icon: Icon, children, ...leads }: Entry & Leads) {
  const content = (
    <>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      {children}
    </>
  )
  return (
    <li>
      {'to' in leads ? (
        <Link to={leads.to} aria-current={leads.current ? 'page' : undefined}>
          {content}
        </Link>
      ) : 'href' in leads ? (
        <a href={leads.href}>{content}</a>
      ) : (
        <button type="button" onClick={leads.onClick}>
          {content}
        </button>
      )}
    </li>
  )
}

/** Where a signed-in visitor can go, without `except`, and Log Out. */
export function AccountEntries({ user, except }: { user: User; except?: string }) {
  const { pathname } = useLocation()
  return (
    <>
      {accountLinks(user)
        .filter((link) => link.to !== except)
        .map(({ to, label, icon }) => (
          <MenuEntry key={to} to={to} icon={icon} current={pathname === to}>
            {label}
          </MenuEntry>
        ))}
      <MenuEntry icon={LogOut} onClick={() => void logOut()}>
        Log Out
      </MenuEntry>
    </>
  )
}
