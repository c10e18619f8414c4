import { Check } from 'lucide-react'
import styles from './Steps.module.css'

/** The steps of a flow: done ones are ticked, the way ahead is dashed, like a bridge being built. `current` counts from 0. */
export function Steps({ names, current, label }: { names: readonly string[]; current: number; label: string }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {names.map((name, index) => (
        <li key={name} className={index < current ? styles.done : undefined} aria-current={index === current ? 'step' : undefined}>
          <span className={styles.dot} aria-hidden="true">
            {index < current ? <Check size={16} strokeWidth={2} /> : index + 1}
          </span>
          <span className={styles.name}>
            {name}
            {index < current && <span className="visually-hidden">, done</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
