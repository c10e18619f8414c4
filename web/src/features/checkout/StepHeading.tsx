import { useEffect, useRef } from 'react'
import styles from '../booking/Booking.module.css'
import { HeldPrice } from '../booking/HeldPrice.tsx'
import { STEP_TITLES, type Step } from '../booking/model/steps.ts'

/** A new step begins at the top, with the focus on its heading; the first one does not take it. */
export function StepHeading({ step, expiresAt, now }: { step: Step; expiresAt: string | null; now: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0, behavior: 'instant' })
  }, [step])
  return (
    <div className={styles.head}>
      <h1 ref={heading} tabIndex={-1}>
        {STEP_TITLES[step]}
      </h1>
      <HeldPrice expiresAt={expiresAt} now={now} />
    </div>
  )
}
