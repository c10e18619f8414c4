import type { CSSProperties } from 'react'
import styles from './RangeSlider.module.css'

export type Thumb = { label: string; value: number; text: string; onChange: (value: number) => void }

type Props = {
  min: number
  max: number
  step: number
  /** One thumb, or two in their order. */
  thumbs: readonly [Thumb] | readonly [Thumb, Thumb]
  /** Heights of the bars above the track, 0 to 1. */
  bars?: readonly number[]
}

/** Native range inputs over one track; with two thumbs the part between them is filled, with one what lies before it. */
export function RangeSlider({ min, max, step, thumbs, bars }: Props) {
  const span = Math.max(max - min, 1)
  const share = (value: number) => (value - min) / span
  const start = thumbs.length === 2 ? share(thumbs[0].value) : 0
  const end = share((thumbs[1] ?? thumbs[0]).value)
  const keyed = bars?.map((height, index) => ({ height, key: `bar ${index}`, at: (index + 0.5) / bars.length }))
  return (
    <div
      className={styles.range}
      data-bars={bars !== undefined}
      style={{ '--start': `${start * 100}%`, '--end': `${(1 - end) * 100}%` } as CSSProperties}
    >
      {keyed && (
        <div className={styles.bars} aria-hidden="true">
          {keyed.map(({ key, height, at }) => (
            <i key={key} className={at >= start && at <= end ? styles.on : undefined} style={{ height: `${Math.round(height * 100)}%` }} />
          ))}
        </div>
      )}
      <div className={styles.track} aria-hidden="true">
        <i />
      </div>
      {thumbs.map(({ label, value, text, onChange }) => (
        <input
          key={label}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          aria-label={label}
          aria-valuetext={text}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      ))}
    </div>
  )
}
