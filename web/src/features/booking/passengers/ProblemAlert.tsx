import type { PassengerProblem } from '@passerelle/contracts/rules/passengers'
import type { Ref } from 'react'
import type { FieldErrors } from 'react-hook-form'
import { Alert } from '../../../ui/Alert.tsx'
import { fullName, INCOMPLETE, type PassengersForm, type PassengerValues } from '../model/passenger-form.ts'
import styles from './Passengers.module.css'

type Props = {
  ref: Ref<HTMLDivElement>
  errors: FieldErrors<PassengersForm>
  /** The server's own words, where it found something. */
  lead: string | null
  passengers: readonly PassengerValues[]
  onPick: (problem: PassengerProblem) => void
}

/** Everything that is wrong, traveller by traveller, as links to the fields. */
export function ProblemAlert({ ref, errors, lead, passengers, onPick }: Props) {
  const groups = passengers.flatMap((passenger, index) => {
    const problems = Object.entries(errors.passengers?.[index] ?? {}).flatMap(([field, error]) => {
      const message = typeof error === 'object' && 'message' in error ? error.message : undefined
      return message ? [{ index, field: field as PassengerProblem['field'], message: String(message) }] : []
    })
    const name = fullName(passenger)
    return problems.length > 0 ? [{ index, problems, name: `Passenger ${index + 1}${name && `, ${name}`}` }] : []
  })
  if (groups.length === 0 && !lead) return null
  return (
    <Alert tone="negative" ref={ref} title={INCOMPLETE}>
      {groups.length === 0 && lead && <p>{lead}</p>}
      {groups.map(({ index, name, problems }) => (
        <div key={index} className={styles.problems}>
          <p>{name}</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem.field}>
                <button type="button" onClick={() => onPick(problem)}>
                  {problem.message}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Alert>
  )
}
