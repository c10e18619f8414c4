import { type ReactNode, useId } from 'react'
import { BridgeDocked } from '../../ui/illustration/BridgeDocked.tsx'
import styles from './AuthLayout.module.css'

type Props = {
  title: string
  intro: ReactNode
  /** Large words over the picture; not shown on phones. */
  words: string
  children: ReactNode
}

/** A form beside the docked bridge; on phones the picture is a band above it. */
export function AuthLayout({ title, intro, words, children }: Props) {
  const heading = useId()
  return (
    <div className={styles.auth}>
      <section className={styles.form} aria-labelledby={heading}>
        <div className={styles.column}>
          <div>
            <h1 id={heading}>{title}</h1>
            <p className={styles.intro}>{intro}</p>
          </div>
          {children}
        </div>
      </section>
      <div className={styles.art}>
        <p>{words}</p>
        <span className={styles.ground} />
        <BridgeDocked className={styles.picture} viewBox="-40 -220 760 620" />
      </div>
    </div>
  )
}
