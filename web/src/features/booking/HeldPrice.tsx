import { Clock } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useNow } from '../../lib/use-now.ts'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './Booking.module.css'
import { expiresSoon, heldFor } from './model/expiry.ts'
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
  const warned = useRef(new Set<Step>())
  const held = heldFor(expiresAt, now)
  const soon = expiresSoon(expiresAt, now)

  useEffect(() => {
    if (!soon || held === null || warned.current.has(step)) return
    warned.current.add(step)
    toast({ title: 'Offer Expiring Soon', description: `The price is held for ${held}. Please complete your booking.`, tone: 'warning' })
  }, [soon, step, held])

  if (!checked || Number.isNaN(Date.parse(expiresAt))) return null
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
