import { type ReactNode, useId } from 'react'
import styles from './Admin.module.css'

type Props = { title: string; words?: ReactNode; aside?: ReactNode; foot?: ReactNode; className?: string; children: ReactNode }

/** A card with a heading, and perhaps a foot. */
export function Panel({ title, words, aside, foot, className = '', children }: Props) {
  const heading = useId()
  return (
    <section className={`${styles.panel} ${className}`} aria-labelledby={heading}>
      <div className={styles.panelHead}>
        <h2 id={heading}>{title}</h2>
        {aside && <span className={styles.end}>{aside}</span>}
        {words && <p>{words}</p>}
      </div>
      {children}
      {foot && <div className={styles.foot}>{foot}</div>}
    </section>
  )
}
