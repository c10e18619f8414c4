import type { FlightOffer } from '@passerelle/contracts/http/search'
import type { PassengerProblem, PassengerRules } from '@passerelle/contracts/rules/passengers'
import { useMemo } from 'react'
import { type FieldErrors, type Resolver, type UseFormReturn, useForm } from 'react-hook-form'
import { today } from '../../../lib/format/dates.ts'
import { errorsOf } from '../../../lib/schema-resolver.ts'
import { emptyPassengers, type PassengersForm, problemsOf, rulesFor } from '../../booking/model/passenger-form.ts'

export type PassengersFormState = {
  form: UseFormReturn<PassengersForm>
  rules: PassengerRules
  /** Marks what the server still asks for. */
  refuse: (problems: readonly PassengerProblem[]) => void
}

/** Lives above the steps: its values stay while another step is shown. */
export function usePassengersForm(offer: FlightOffer): PassengersFormState {
  const rules = useMemo(() => rulesFor(offer, today()), [offer])
  const resolver: Resolver<PassengersForm> = (values) => {
    const problems = problemsOf(values.passengers, rules)
    if (problems.length === 0) return { values, errors: {} }
    const issues = problems.map(({ index, field, message }) => ({ message, path: ['passengers', String(index), field] }))
    return { values: {}, errors: errorsOf(issues) as FieldErrors<PassengersForm> }
  }
  const form = useForm<PassengersForm>({
    resolver,
    defaultValues: { passengers: emptyPassengers(offer) },
    shouldFocusError: false,
  })
  function refuse(problems: readonly PassengerProblem[]): void {
    for (const { index, field, message } of problems) form.setError(`passengers.${index}.${field}`, { type: 'server', message })
  }
  return { form, rules, refuse }
}

/** What is marked, in the order of the form. */
export function markedProblems(errors: FieldErrors<PassengersForm>, count: number): PassengerProblem[] {
  return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    Object.entries(errors.passengers?.[index] ?? {}).flatMap(([field, error]) => {
      const message = (error as { message?: string } | undefined)?.message
      return message ? [{ index, field: field as PassengerProblem['field'], message }] : []
    }),
  )
}
