import styles from './Reasons.module.css'
import { Section } from './Section.tsx'

type Props = { title: string; words: string; reasons: readonly (readonly [claim: string, words: string])[] }

/** A heading with claims under rules beside it. */
export function Reasons({ title, words, reasons }: Props) {
  return (
    <Section title={title} words={words} className={styles.reasons}>
      <dl>
        {reasons.map(([claim, text]) => (
          <div key={claim}>
            <dt>{claim}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
