import type { ReactNode } from 'react'
import styles from './PageHead.module.css'

/** The heading of a page of reading or help, and a sentence under it. */
export function PageHead({ title, small = false, children }: { title: ReactNode; small?: boolean; children?: ReactNode }) {
  return (
    <div className={styles.head}>
      <h1>{title}</h1>
      {children && <p className={small ? styles.small : undefined}>{children}</p>}
    </div>
  )
}
