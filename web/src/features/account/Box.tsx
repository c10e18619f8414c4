import { type ReactNode, type Ref, useId } from 'react'
import styles from './Account.module.css'

type Props = {
  title: string
  /** At the right of the heading. */
  beside?: ReactNode
  danger?: boolean
  className?: string | undefined
  /** The heading, to move the focus to. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A card of the account screen. */
export function Box({ title, beside, danger = false, className = '', headingRef, children }: Props) {
  const heading = useId()
  return (
    <section className={`card ${styles.box} ${danger ? styles.danger : ''} ${className}`} aria-labelledby={heading}>
      <div className={beside ? styles.head : undefined}>
        <h2 id={heading} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
          {title}
        </h2>
        {beside && <p className={styles.small}>{beside}</p>}
      </div>
      {children}
    </section>
  )
}
