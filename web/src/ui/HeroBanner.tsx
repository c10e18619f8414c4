import { type ReactNode, useId } from 'react'
import styles from './HeroBanner.module.css'
import { BridgeDocked } from './illustration/BridgeDocked.tsx'

export const heroStyles = { onBrand: styles.onBrand ?? '', ghost: styles.ghost ?? '' }

type Props = { title: string; words: string; children: ReactNode }

/** The first thing of a landing page: claim, sentence, buttons, and the aircraft standing on what comes next. */
export function HeroBanner({ title, words, children }: Props) {
  const heading = useId()
  return (
    <section className={styles.hero} aria-labelledby={heading}>
      <span className={styles.ground} />
      <BridgeDocked className={styles.art} horizon />
      <div className={`wrap ${styles.inner}`}>
        <h1 id={heading}>{title}</h1>
        <p className={styles.sub}>{words}</p>
        <div className={styles.actions}>{children}</div>
      </div>
    </section>
  )
}

/** The block that stands on the hero's edge: a search form. */
export function HeroSearch({ children }: { children: ReactNode }) {
  return <div className={`wrap ${styles.search}`}>{children}</div>
}
