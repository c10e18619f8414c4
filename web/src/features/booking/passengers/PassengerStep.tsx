import type { FlightOffer } from '@passerelle/contracts/http/search'
import type { PassengerProblem } from '@passerelle/contracts/rules/passengers'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { today } from '../../../lib/format/dates.ts'
import { errorsOf } from '../../../lib/schema-resolver.ts'
import { Button } from '../../../ui/Button.tsx'
import { NeededNote } from '../../../ui/NeededNote.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Booking.module.css'
import {
  emptyPassengers,
  frequentFlyerAirlines,
  NO_PASSENGERS,
  type PassengersForm,
  type PassengerValues,
  problemsOf,
  rulesFor,
  withoutPassports,
} from '../model/passenger-form.ts'
import type { OfferCheck } from '../model/verification.ts'
import type { OfferChecks } from '../use-offer-check.ts'
import { OfferAlert } from './OfferAlert.tsx'
import { PassengerCard } from './PassengerCard.tsx'
import { ProblemAlert } from './ProblemAlert.tsx'

/** What the server still needs: shown on top, and in the fields. */
type ServerProblems = { message: string; problems: PassengerProblem[] }

type Props = {
  offer: FlightOffer
  /** What was entered before; null: nothing yet. */
  entered: PassengerValues[] | null
  server: ServerProblems | null
  checks: OfferChecks
  onBack: () => void
  onDone: (passengers: PassengerValues[]) => void
}

export function PassengerStep({ offer, entered, server, checks, onBack, onDone }: Props) {
  const rules = rulesFor(offer, today())
  const airlines = frequentFlyerAirlines(offer)
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => foldedAtFirst(entered, server))
  const [refused, setRefused] = useState<Exclude<OfferCheck, { state: 'valid' }> | null>(null)
  const [busy, setBusy] = useState(false)
  const alert = useRef<HTMLDivElement>(null)
  const form = useForm<PassengersForm>({
    defaultValues: { passengers: entered ?? emptyPassengers(offer) },
    shouldFocusError: false,
    resolver: (values) => {
      const problems = problemsOf(values.passengers, rules)
      const issues = problems.map(({ index, field, message }) => ({ message, path: ['passengers', index, field] }))
      return issues.length > 0 ? { values: {}, errors: errorsOf(issues) } : { values, errors: {} }
    },
  })
  const { control, handleSubmit, setError, setFocus, getValues, setValue, formState } = form
  const expired = checks.latest?.state === 'expired' || refused?.state === 'expired'
  const passengers = control._defaultValues.passengers ?? []

  useEffect(() => {
    if (!server) return
    for (const { index, field, message } of server.problems) setError(`passengers.${index}.${field}` as 'passengers.0.title', { message })
    alert.current?.focus()
  }, [server, setError])

  const wrong = Boolean(formState.errors.passengers)
  const { submitCount } = formState
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when the form was sent, not when a field is mended
  useEffect(() => {
    if (submitCount > 0 && wrong) alert.current?.focus()
  }, [submitCount])

  // A later answer of the check replaces what was said before.
  useEffect(() => {
    if (checks.latest?.state === 'valid') setRefused(null)
  }, [checks.latest])

  function fold(index: number, closed: boolean): void {
    setFolded((before) => {
      const after = new Set(before)
      if (closed) after.add(index)
      else after.delete(index)
      return after
    })
  }

  function focusField({ index, field }: PassengerProblem): void {
    flushSync(() => fold(index, false))
    setFocus(`passengers.${index}.${field}` as 'passengers.0.title')
  }

  async function submit(values: PassengersForm): Promise<void> {
    if (values.passengers.length === 0) return
    setBusy(true)
    const check = await checks.check()
    setBusy(false)
    if (check.state === 'valid') return onDone(values.passengers)
    setRefused(check)
    if (check.state === 'expired') return
    toast({ title: 'Offer Validation Failed', description: check.message, tone: 'negative' })
  }

  function showProblems(): void {
    const wrong = new Set(problemsOf(getValues('passengers'), rules).map(({ index }) => index))
    setFolded((before) => new Set([...before].filter((index) => !wrong.has(index))))
  }

  function skipPassports(): void {
    setValue('passengers', withoutPassports(getValues('passengers')))
    void handleSubmit(submit, showProblems)()
  }

  return (
    <form className={styles.stack} noValidate aria-label="Passengers" onSubmit={(event) => void handleSubmit(submit, showProblems)(event)}>
      <OfferAlert check={refused ?? checks.latest} offer={offer} />
      <ProblemAlert
        ref={alert}
        errors={formState.errors}
        lead={server?.message ?? null}
        passengers={getValues('passengers')}
        onPick={focusField}
      />
      <NeededNote />
      {passengers.length === 0 && <p role="alert">{NO_PASSENGERS}</p>}
      {passengers.map((passenger, index) => (
        <PassengerCard
          key={passenger?.id ?? index}
          index={index}
          form={form}
          rules={rules}
          airlines={airlines}
          folded={folded.has(index)}
          onFold={(closed) => fold(index, closed)}
        />
      ))}
      <div className={styles.actions}>
        <Button onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back
        </Button>
        <div className={styles.actionsEnd}>
          {!rules.passportRequired && (
            <Button variant="quiet" size="lg" disabled={expired || busy} onClick={skipPassports}>
              Skip Passport Info
            </Button>
          )}
          <Button type="submit" variant="solid" size="lg" disabled={expired || passengers.length === 0} busy={busy}>
            {expired ? 'Offer Expired' : busy ? 'Checking the offer' : 'Continue to Seat Selection'}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Coming back, those who are finished are folded. */
function foldedAtFirst(entered: PassengerValues[] | null, server: ServerProblems | null): ReadonlySet<number> {
  const open = new Set(server?.problems.map(({ index }) => index))
  return new Set((entered ?? []).map((_, index) => index).filter((index) => !open.has(index)))
}
