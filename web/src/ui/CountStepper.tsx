import { Minus, Plus } from 'lucide-react'
import styles from './CountStepper.module.css'

type Props = {
  /** Plural and in lower case: "adults". */
  noun: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** A number with a round button on each side. */
export function CountStepper({ noun, value, min, max, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend beside the visible label of its row
    <span className={styles.stepper} role="group" aria-label={noun[0]?.toUpperCase() + noun.slice(1)}>
      <button type="button" aria-label={`Fewer ${noun}`} disabled={value <= min} onClick={() => onChange(value - 1)}>
        <Minus size={16} strokeWidth={2} aria-hidden="true" />
      </button>
      <output aria-live="polite">{value}</output>
      <button type="button" aria-label={`More ${noun}`} disabled={value >= max} onClick={() => onChange(value + 1)}>
        <Plus size={16} strokeWidth={2} aria-hidden="true" />
      </button>
    </span>
  )
}
