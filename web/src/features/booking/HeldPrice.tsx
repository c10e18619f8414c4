import { Clock } from 'lucide-react'
import styles from './Booking.module.css'
import { expiresSoon, heldFor } from './model/expiry.ts'

/** How long the price is held. Silent while the time is unknown. */
export function HeldPrice({ expiresAt, now }: { expiresAt: string | null; now: number }) {
  if (expiresAt === null || Number.isNaN(Date.parse(expiresAt))) return null
  const held = heldFor(expiresAt, now)
  return (
    <p className={`${styles.held} ${expiresSoon(expiresAt, now) ? styles.soon : ''}`}>
      <Clock size={16} strokeWidth={2} aria-hidden="true" />
      {held ? (
        <span>
          Price held for <b>{held}</b>
        </span>
      ) : (
        'This price is no longer held'
      )}
    </p>
  )
}
