import type { PassengerProblem } from '@passerelle/contracts/rules/passengers'
import type { Ref } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { INCOMPLETE } from '../../booking/model/passenger-form.ts'
import styles from './Passengers.module.css'

type Props = {
  problems: readonly PassengerProblem[]
  general: string | null
  onShow: (problem: PassengerProblem) => void
  ref: Ref<HTMLDivElement>
}

/** Everything that is still missing, each with a link to its field. */
export function FormErrors({ problems, general, onShow, ref }: Props) {
  if (problems.length === 0 && general === null) return null
  return (
    <Alert tone="negative" title={INCOMPLETE} ref={ref}>
      <ul className={styles.problems}>
        {general && <li>{general}</li>}
        {problems.map((problem) => (
          <li key={`${problem.index} ${problem.field}`}>
            <a
              href={`#passenger-${problem.index + 1}`}
              onClick={(event) => {
                event.preventDefault()
                onShow(problem)
              }}
            >
              Passenger {problem.index + 1}: {problem.message}
            </a>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
