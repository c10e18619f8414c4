import type { PassengerProblem } from '@passerelle/contracts/rules/passengers'
import type { Ref } from 'react'
import type { FieldErrors } from 'react-hook-form'
import { Alert } from '../../../ui/Alert.tsx'
import { INCOMPLETE, type PassengersForm } from '../model/passenger-form.ts'
import styles from './Passengers.module.css'

type Props = {
  ref: Ref<HTMLDivElement>
  errors: FieldErrors<PassengersForm>
  /** The server's own words, where it found something. */
  lead: string | null
  count: number
  onPick: (problem: PassengerProblem) => void
}

/** Everything that is wrong, as links to the fields. */
export function ProblemAlert({ ref, errors, lead, count, onPick }: Props) {
  const problems = Array.from({ length: count }, (_, index) =>
    Object.entries(errors.passengers?.[index] ?? {}).flatMap(([field, error]) => {
      const message = typeof error === 'object' && 'message' in error ? error.message : undefined
      return message ? [{ index, field: field as PassengerProblem['field'], message: String(message) }] : []
    }),
  ).flat()
  if (problems.length === 0 && !lead) return null
  return (
    <Alert tone="negative" ref={ref} title={INCOMPLETE}>
      {problems.length === 0 && lead && <p>{lead}</p>}
      <ul className={styles.problems}>
        {problems.map((problem) => (
          <li key={`${problem.index}-${problem.field}`}>
            <button type="button" onClick={() => onPick(problem)}>
              Passenger {problem.index + 1}: {problem.message}
            </button>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
