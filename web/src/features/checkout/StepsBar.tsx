import { Steps } from '../../ui/Steps.tsx'
import styles from '../booking/Booking.module.css'
import { STEP_NAMES, STEPS, type Step } from '../booking/model/steps.ts'

export function StepsBar({ step }: { step: Step }) {
  return (
    <nav className={styles.bar} aria-label="Booking steps">
      <div className="wrap">
        <Steps names={STEP_NAMES} current={STEPS.indexOf(step)} label="Steps" />
      </div>
    </nav>
  )
}
