import { Link } from '../../lib/router.ts'
import styles from './Views.module.css'

export type View = { to: string; label: string; current: boolean /** Undefined while it is not known. */; count: number | undefined }

/** The parts of a list, each with an address of its own and how much is in it. */
export function Views({ label, views }: { label: string; views: readonly View[] }) {
  return (
    <nav className={styles.views} aria-label={label}>
      {views.map((view) => (
        <Link key={view.label} to={view.to} aria-current={view.current ? 'page' : undefined} preventScrollReset>
          {view.label} {view.count !== undefined && <span className={styles.count}>{view.count}</span>}
        </Link>
      ))}
    </nav>
  )
}
