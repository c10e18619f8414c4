import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './Booking.module.css'
import { expiresSoon, expiryWarnings, heldFor } from './model/expiry.ts'
import type { Step } from './model/steps.ts'

const CLOCK_MS = 5000

type Props = {
  expiresAt: string
  step: Step
  /** Nothing is said to be held before the first check of the offer has answered. */
  checked: boolean
}

/** How long the price is held, with a clock of its own, and a warning once a step when less than five minutes are left. */
export function HeldPrice({ expiresAt, step, checked }: Props) {
  const now = useNow(CLOCK_MS)
  const [warningFor] = useState(() => expiryWarnings<Step>())
  const held = heldFor(expiresAt, now)
  const soon = expiresSoon(expiresAt, now)

  useEffect(() => {
    const left = warningFor(step, expiresAt, now)
    if (left)
      toast({ title: 'Offer Expiring Soon', description: `The price is held for ${left}. Please complete your booking.`, tone: 'warning' })
  }, [warningFor, step, expiresAt, now])

  if (Number.isNaN(Date.parse(expiresAt))) return null
  // Its line is kept, so that the form below does not move when the answer comes.
  if (!checked) return <p className={styles.held}>&nbsp;</p>
  return (
    <p className={`${styles.held} ${soon ? styles.soon : ''}`}>
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
