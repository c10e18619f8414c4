import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { Link, useLocation } from '../../lib/router.ts'
import styles from './Admin.module.css'
import { keys } from './model/keys.ts'

const PLACES = [
  { to: paths.adminMessages, label: 'Messages' },
  { to: paths.adminBrands, label: 'Brands' },
  { to: paths.adminSettings, label: 'Settings' },
] as const

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
  const fresh = data?.counts.new ?? 0
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
                {to === paths.adminMessages && fresh > 0 && (
                  <span className={styles.count}>
                    {fresh}
                    <span className="visually-hidden"> new</span>
                  </span>
                )}
              </Link>
            ))}
          </div>
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
