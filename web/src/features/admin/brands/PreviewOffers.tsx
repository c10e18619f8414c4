import type { BridgePart } from '../../../lib/flight.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { BridgeLine } from '../../../ui/BridgeLine.tsx'
import styles from './Preview.module.css'

type Sample = { airline: string; leaves: string; arrives: string; parts: readonly BridgePart[]; stops: string; price: string }

const SAMPLES: readonly [Sample, ...Sample[]] = [
  { airline: 'Air France', leaves: '10:55', arrives: '12:30', parts: [{ minutes: 155, wait: false }], stops: 'Direct', price: '€248' },
  {
    airline: 'Iberia',
    leaves: '07:35',
    arrives: '12:10',
    parts: [
      { minutes: 130, wait: false },
      { minutes: 90, wait: true },
      { minutes: 115, wait: false },
    ],
    stops: '1 stop',
    price: '€262',
  },
  {
    airline: 'TAP Air Portugal',
    leaves: '16:20',
    arrives: '18:00',
    parts: [{ minutes: 160, wait: false }],
    stops: 'Direct',
    price: '€301',
  },
]

/** Offers as a list shows them, the second one chosen. */
export function PreviewOffers({ all }: { all: boolean }) {
  return (
    <div className={all ? styles.list : styles.onHero}>
      {all && (
        <p className={styles.chips}>
          <b>3 flights</b> <Badge tone="brand">Direct or 1 stop</Badge> <Badge tone="positive">Refundable</Badge>
        </p>
      )}
      {SAMPLES.slice(0, all ? undefined : 1).map(({ airline, leaves, arrives, parts, stops, price }, place) => (
        <div key={airline} className={styles.offer} data-chosen={place === 1 || undefined}>
          <div>
            <p className={styles.times}>
              <b>{leaves}</b> CDG
            </p>
            <div className={styles.line}>
              {airline}
              <BridgeLine parts={parts} />
              <span className={styles.link}>{stops}</span>
            </div>
            <p className={styles.times}>
              <b>{arrives}</b> LIS
            </p>
          </div>
          <p className={styles.price}>
            <b>{price}</b>
            <span className={all && place !== 1 ? styles.soft : styles.solid}>View Details</span>
          </p>
        </div>
      ))}
    </div>
  )
}
