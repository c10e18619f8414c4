import { ticketName } from '@passerelle/contracts/rules/passengers'
import { Check } from 'lucide-react'
import { useId, useRef } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import { LinkButton } from '../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { asksTitleOrGender, fullName, GENDERS, problemsOf, TITLES, typeLine } from '../model/passenger-form.ts'
import { FrequentFlyerFields } from './FrequentFlyerFields.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './Passengers.module.css'
import { PassportFields } from './PassportFields.tsx'

type Props = FieldProps & {
  /** Code and label of the airlines whose frequent flyer numbers are taken. */
  airlines: readonly (readonly [string, string])[]
  folded: boolean
  onFold: (closed: boolean) => void
}

/** How airlines write the name, where that is not how it was typed. */
function onTheTicket(name: string) {
  const written = ticketName(name)
  if (!written?.changed) return undefined
  return (
    <span className={styles.ticket}>
      On the ticket: <b>{written.text}</b>
      {written.cut && ' (airlines take 20 letters)'}
    </span>
  )
}

/** One passenger. A finished card can be folded; its fields stay where they are. */
export function PassengerCard({ index, form, rules, airlines, folded, onFold }: Props) {
  const headId = useId()
  const body = useRef<HTMLDivElement>(null)
  const { control, register, getValues } = form
  const passenger = useWatch({ control, name: `passengers.${index}` })
  const { errors } = useFormState({ control, name: `passengers.${index}` })
  const wrong = errors.passengers?.[index]
  const complete = !wrong && problemsOf(getValues('passengers'), rules).every((problem) => problem.index !== index)
  const named = passenger.firstName.trim() && passenger.lastName.trim()
  const name = named ? fullName(passenger) : `Passenger ${index + 1}`
  const lead = index === 0
  const field = (one: 'title' | 'firstName' | 'lastName' | 'gender' | 'dateOfBirth' | 'email' | 'phone', autoComplete: string) => ({
    ...register(`passengers.${index}.${one}`),
    error: wrong?.[one]?.message,
    autoComplete: lead ? autoComplete : 'off',
  })

  function toggle(): void {
    onFold(!folded)
    if (folded) requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('input, select')?.focus())
  }

  return (
    <section className="card" aria-labelledby={headId}>
      <div className={styles.head}>
        <span className={`${styles.mark} ${wrong ? styles.bad : complete ? styles.good : ''}`} aria-hidden="true">
          {complete ? <Check size={20} strokeWidth={1.75} /> : index + 1}
        </span>
        <h2 id={headId}>
          {name}
          <small>{typeLine(passenger, index, folded)}</small>
        </h2>
        {(complete || folded) && (
          <LinkButton className={styles.fold} aria-expanded={!folded} onClick={toggle}>
            {folded ? 'Edit' : 'Close'}
            <span className="visually-hidden"> {name}</span>
          </LinkButton>
        )}
      </div>
      <div className={styles.body} ref={body} hidden={folded}>
        <div className={styles.grid}>
          <SelectField className={styles.third} label="Title" optional {...field('title', 'honorific-prefix')}>
            <option value="">Choose</option>
            {TITLES.map(([title, label]) => (
              <option key={title} value={title}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextField
            className={styles.third}
            label="First name"
            required
            hint={onTheTicket(passenger.firstName)}
            {...field('firstName', 'given-name')}
          />
          <TextField
            className={styles.third}
            label="Last name"
            required
            hint={onTheTicket(passenger.lastName)}
            {...field('lastName', 'family-name')}
          />
          <TextField
            className={styles.half}
            label="Date of birth"
            type="date"
            required
            max={rules.today}
            {...field('dateOfBirth', 'bday')}
          />
          <SelectField
            className={styles.half}
            label="Gender"
            optional
            hint={complete && asksTitleOrGender(passenger) ? 'Most airlines ask for a title or a gender.' : undefined}
            {...field('gender', 'sex')}
          >
            <option value="">Choose</option>
            {GENDERS.map(([gender, label]) => (
              <option key={gender} value={gender}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextField
            className={styles.half}
            label="Email"
            type="email"
            required={lead}
            optional={!lead}
            hint={lead ? 'The confirmation goes here.' : undefined}
            {...field('email', 'email')}
          />
          <TextField
            className={styles.half}
            label="Phone"
            type="tel"
            required={lead}
            optional={!lead}
            hint={lead ? 'Only for changes to your flights.' : undefined}
            {...field('phone', 'tel')}
          />
        </div>
        <PassportFields index={index} form={form} rules={rules} />
        {airlines.length > 0 && passenger.type !== 'infant_without_seat' && (
          <FrequentFlyerFields index={index} form={form} rules={rules} airlines={airlines} />
        )}
      </div>
    </section>
  )
}
