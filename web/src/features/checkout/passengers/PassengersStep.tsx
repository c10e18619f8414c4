import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import styles from '../../booking/Booking.module.css'
import { NO_PASSENGERS, type PassengerValues, withoutPassports } from '../../booking/model/passenger-form.ts'
import { UNVERIFIED_TITLE } from '../../booking/model/verification.ts'
import type { OfferChecks } from '../../booking/use-offer-check.ts'
import { CheckAlert } from '../CheckAlert.tsx'
import { FormErrors } from './FormErrors.tsx'
import { PassengerCard } from './PassengerCard.tsx'
import { markedProblems, type PassengersFormState } from './use-passengers-form.ts'

type Props = {
  form: PassengersFormState
  checks: OfferChecks
  onBack: () => void
  onDone: (passengers: readonly PassengerValues[]) => void
}

export function PassengersStep({ form: { form, rules }, checks, onBack, onDone }: Props) {
  const { handleSubmit, formState, getValues, setValue, setFocus } = form
  const passengers = getValues('passengers')
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const [unsure, setUnsure] = useState(false)
  const [nobody, setNobody] = useState(false)
  const alert = useRef<HTMLDivElement>(null)
  const marked = markedProblems(formState.errors, passengers.length)
  const expired = checks.latest?.state === 'expired'

  const fold = (index: number, away: boolean) => {
    const next = new Set(folded)
    if (away) next.add(index)
    else next.delete(index)
    setFolded(next)
  }

  // What the server asked for is in sight at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: on arrival only
  useEffect(() => {
    const [first] = marked
    if (first) setFocus(`passengers.${first.index}.${first.field}`)
  }, [])

  async function done({ passengers: values }: { passengers: PassengerValues[] }): Promise<void> {
    if (values.length === 0) return setNobody(true)
    setUnsure(false)
    const { state } = await checks.check()
    if (state === 'valid') onDone(values)
    else if (state === 'unverified') setUnsure(true)
  }

  function refused(): void {
    const open = new Set(folded)
    for (const { index } of markedProblems(form.formState.errors, passengers.length)) open.delete(index)
    setFolded(open)
    requestAnimationFrame(() => {
      alert.current?.focus({ preventScroll: true })
      alert.current?.scrollIntoView({ block: 'center' })
    })
  }

  const submit = () => void handleSubmit(done, refused)()

  function skipPassports(): void {
    withoutPassports(getValues('passengers')).forEach((passenger, index) => {
      setValue(`passengers.${index}`, passenger)
    })
    submit()
  }

  return (
    <form
      className={styles.stack}
      aria-label="Passengers"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!expired) submit()
      }}
    >
      <CheckAlert check={checks.latest} />
      {unsure && checks.latest?.state !== 'unverified' && (
        <CheckAlert check={{ state: 'unverified', code: 'UNKNOWN_ERROR', message: UNVERIFIED_TITLE }} />
      )}
      <FormErrors
        ref={alert}
        problems={marked}
        general={nobody ? NO_PASSENGERS : null}
        onShow={({ index, field }) => {
          fold(index, false)
          requestAnimationFrame(() => setFocus(`passengers.${index}.${field}`))
        }}
      />
      {passengers.map(({ id }, index) => (
        <PassengerCard
          key={id}
          form={form}
          rules={rules}
          index={index}
          folded={folded.has(index)}
          foldable={passengers.length > 1}
          onFold={(away) => fold(index, away)}
        />
      ))}
      <div className={styles.actions}>
        <Button variant="line" onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back
        </Button>
        <div className={styles.actionsEnd}>
          {!rules.passportRequired && (
            <Button variant="quiet" disabled={expired || formState.isSubmitting} onClick={skipPassports}>
              Skip Passport Info
            </Button>
          )}
          <Button type="submit" variant="solid" size="lg" disabled={expired} busy={formState.isSubmitting}>
            {expired ? 'Offer Expired' : 'Continue to Seat Selection'}
          </Button>
        </div>
      </div>
    </form>
  )
}
