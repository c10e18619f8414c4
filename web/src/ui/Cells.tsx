import type { ReactNode } from 'react'
import styles from './Cells.module.css'

/** Equal cells in one card, each a section of its own. */
export function Cells({ columns, children }: { columns: 2 | 3; children: ReactNode }) {
  return (
    <div className={`card ${styles.cells}`} data-columns={columns}>
      {children}
    </div>
  )
}
