import { Plane } from 'lucide-react'
import styles from './AirlineTile.module.css'
import { airlineColour } from './airline-colours.ts'

/** The airline's code in white on its colour. Its name always stands beside the tile, so the tile itself is silent. */
export function AirlineTile({ code, size = 'small' }: { code: string | null | undefined; size?: 'small' | 'large' }) {
  return (
    <span className={`${styles.tile} ${styles[size]}`} style={{ backgroundColor: airlineColour(code) }} aria-hidden="true">
      {code || <Plane size={size === 'small' ? 14 : 20} strokeWidth={2} />}
    </span>
  )
}
