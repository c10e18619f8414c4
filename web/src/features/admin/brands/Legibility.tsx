import type { BrandColors } from '@passerelle/contracts/rules/brand'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { countNoun } from '../../../lib/format/people.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { legibilityOf, paletteOf } from '../model/legibility.ts'
import { Panel } from '../Panel.tsx'
import styles from './Brands.module.css'

/** Which of the brand's colours can be read, what is shown in place of the others, and every colour that follows from them. */
export function Legibility({ colors }: { colors: BrandColors }) {
  const rows = legibilityOf(colors)
  const adjusted = rows.filter((row) => row.adjusted)
  const palette = paletteOf(colors)
  const heading = useId()
  return (
    <Panel title="Legibility" words="Text needs 4.5:1 and outlines 3:1. Colours that fall short are shown darker or lighter.">
      {adjusted.length > 0 && (
        <div className={styles.part}>
          <Alert
            tone="warning"
            icon={TriangleAlert}
            role="status"
            title={`${countNoun(adjusted.length, 'colour')} cannot be read as given.`}
          >
            The pages stay legible: see what is shown instead.
          </Alert>
        </div>
      )}
      <ul className={styles.legibility} aria-label="Legibility of the colours">
        {rows.map(({ what, ink, ground, ratio, adjusted: changed, words }) => (
          <li key={what}>
            <span className={styles.sample} style={{ color: ink, backgroundColor: ground }} aria-hidden="true">
              Aa
            </span>
            <span>
              {what}
              <small>{words}</small>
            </span>
            <span className={styles.ratio}>
              <b>{ratio.toFixed(1)}:1</b> <Badge tone={changed ? 'warning' : 'positive'}>{changed ? 'Adjusted' : 'Pass'}</Badge>
            </span>
          </li>
        ))}
      </ul>
      <details className={styles.palette} aria-labelledby={heading}>
        <summary id={heading}>All {palette.length} derived colours</summary>
        <ul>
          {palette.map(([name, color]) => (
            <li key={name}>
              <i style={{ backgroundColor: color }} aria-hidden="true" />
              <span>{name}</span>
              <code>{color}</code>
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  )
}
