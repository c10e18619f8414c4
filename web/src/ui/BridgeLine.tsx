import type { BridgePart } from '../lib/flight.ts'
import styles from './BridgeLine.module.css'

/** A flight drawn to scale: flown time is a solid line, waiting time an open lozenge. The words beside it say the same. */
export function BridgeLine({ parts }: { parts: readonly BridgePart[] }) {
  const keyed = parts.map((part, index) => ({ ...part, key: `${index}${part.wait ? 'w' : 'f'}` }))
  return (
    <div className={styles.bridge} aria-hidden="true">
      {keyed.map(({ key, minutes, wait }) => (
        <i key={key} className={wait ? styles.wait : undefined} style={{ flexGrow: Math.max(minutes, 1) }} />
      ))}
    </div>
  )
}
