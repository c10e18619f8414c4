import { type ReactNode, useId } from 'react'
import styles from './Section.module.css'

type Props = { title: string; words?: ReactNode; className?: string | undefined; children: ReactNode }

/** A part of a landing page with a large heading. */
export function Section({ title, words, className = '', children }: Props) {
  const heading = useId()
  return (
    <section className={`wrap ${styles.section} ${className}`} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        {words && <p>{words}</p>}
      </div>
      {children}
    </section>
  )
}
