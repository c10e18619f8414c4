import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { Link, useLocation } from '../../lib/router.ts'
import { useUser } from '../../lib/session.ts'
import styles from './Admin.module.css'
import { attentionQuery } from './bookings/queries.ts'
import { keys } from './model/keys.ts'
import { useBrands } from './model/use-brands.ts'

const PLACES = [
  { to: paths.adminBookings, label: 'Bookings' },
  { to: paths.adminMessages, label: 'Messages' },
  { to: paths.adminBrands, label: 'Brands' },
  { to: paths.adminSettings, label: 'Settings' },
] as const

type Count = { count?: number; words?: string; warn?: boolean }

/** How much waits at a place of administration. */
function Waiting({ count = 0, words, warn }: Count) {
  if (count === 0) return null
  return (
    <span className={styles.count} data-warn={warn || undefined}>
      {count}
      <span className="visually-hidden"> {words}</span>
    </span>
  )
}

/** Whose administrator somebody is. */
function Scope() {
  const user = useUser()
  const { nameOf } = useBrands()
  if (!user) return null
  return (
    <span className={styles.scope}>
      You look after <b>{user.isAdmin ? 'all brands' : (user.staffOf ?? []).map(nameOf).join(', ')}</b>
    </span>
  )
}

type Props = {
  title: ReactNode
  /** Above the title: where one came from. */
  crumb?: ReactNode
  words?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** Around every page of administration: its places, the heading and what can be done. */
export function AdminLayout({ title, crumb, words, actions, children }: Props) {
  const { pathname } = useLocation()
  const { data } = useQuery({
    queryKey: [keys.messages, 'count'],
    queryFn: ({ signal }) => api.listMessages({ query: { limit: 1 } }, { signal }),
  })
  const { data: waiting } = useQuery(attentionQuery)
  const counts: Partial<Record<string, Count>> = {
    [paths.adminBookings]: { count: waiting?.counts.attention ?? 0, words: 'need attention', warn: true },
    [paths.adminMessages]: { count: data?.counts.new ?? 0, words: 'new' },
  }
  return (
    <>
      <nav className={styles.bar} aria-label="Administration">
        <div className={`wrap ${styles.barInner}`}>
          <span className={styles.barLabel} aria-hidden="true">
            Administration
          </span>
          <div className={styles.places}>
            {PLACES.map(({ to, label }) => (
              <Link key={to} to={to} aria-current={pathname === to || pathname.startsWith(`${to}/`) ? 'page' : undefined}>
                {label}
                <Waiting {...counts[to]} />
              </Link>
            ))}
          </div>
          <Scope />
        </div>
      </nav>
      <div className={styles.head}>
        <div className={`wrap ${styles.headInner}`}>
          <div>
            {crumb && <p className={styles.crumb}>{crumb}</p>}
            <h1>{title}</h1>
            {words && <p className={styles.sub}>{words}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      </div>
      <div className={`wrap ${styles.main}`}>{children}</div>
    </>
  )
}
