import type { ReactNode } from 'react'
import styles from './WithAside.module.css'

type Props = { aside: ReactNode; asideLabel: string; children: ReactNode }

/** A main column with what belongs to it at its right; under it on narrow pages. */
export function WithAside({ aside, asideLabel, children }: Props) {
  return (
    <div className={styles.two}>
      <div>{children}</div>
      <aside className={styles.side} aria-label={asideLabel}>
        {aside}
      </aside>
    </div>
  )
}
