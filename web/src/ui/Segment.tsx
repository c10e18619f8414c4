import styles from './Segment.module.css'

type Props<Value extends string> = {
  name: string
  /** What is chosen, for those who do not see the row. */
  label: string
  options: readonly (readonly [value: Value, words: string])[]
  value: Value
  onChange: (value: Value) => void
}

/** One of a few, side by side. */
export function Segment<Value extends string>({ name, label, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className={styles.segment}>
      <legend className="visually-hidden">{label}</legend>
      {options.map(([option, words]) => (
        <label key={option}>
          <input type="radio" name={name} value={option} checked={value === option} onChange={() => onChange(option)} />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
