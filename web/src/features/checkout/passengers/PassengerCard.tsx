import type { PassengerRules } from '@passerelle/contracts/rules/passengers'
import { Check } from 'lucide-react'
import { useId } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { today } from '../../../lib/format/dates.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import {
  asksTitleOrGender,
  fullName,
  GENDERS,
  type PassengerField,
  type PassengersForm,
  problemsOf,
  TITLES,
  typeLine,
} from '../../booking/model/passenger-form.ts'
import styles from './Passengers.module.css'
import { PassportFields } from './PassportFields.tsx'

type Props = {
  form: UseFormReturn<PassengersForm>
  rules: PassengerRules
  index: number
  folded: boolean
  foldable: boolean
  onFold: (away: boolean) => void
}

export function PassengerCard({ form, rules, index, folded, foldable, onFold }: Props) {
  const { register, control, formState } = form
  const values = useWatch({ control, name: `passengers.${index}` })
  const heading = useId()
  const errors = formState.errors.passengers?.[index]
  const lead = index === 0
  const name = fullName(values) || `Passenger ${index + 1}`
  // The contact has rules of its own, so another passenger is judged in the second place.
  const complete = !problemsOf(lead ? [values] : [values, values], rules).some((problem) => problem.index === (lead ? 0 : 1))
  const wrong = errors !== undefined && Object.keys(errors).length > 0
  const field = (of: PassengerField) => ({ ...register(`passengers.${index}.${of}`), error: errors?.[of]?.message })

  return (
    <section className="card" id={`passenger-${index + 1}`} aria-labelledby={heading}>
      <div className={styles.head}>
        <span className={`${styles.circle} ${wrong ? styles.bad : complete ? styles.good : ''}`} aria-hidden="true">
          {complete && !wrong ? <Check size={20} strokeWidth={1.75} /> : index + 1}
        </span>
        <h2 id={heading}>
          {complete || folded ? name : `Passenger ${index + 1}`}
          <small>{typeLine(values, index, folded)}</small>
        </h2>
        {foldable && (complete || folded) && !wrong && (
          <LinkButton className={styles.fold} aria-expanded={!folded} onClick={() => onFold(!folded)}>
            {folded ? 'Edit' : 'Close'}
            <span className="visually-hidden"> {name}</span>
          </LinkButton>
        )}
      </div>
      <div className={styles.body} hidden={folded}>
        <div className={styles.grid}>
          <SelectField className={styles.third} label="Title" optional {...field('title')}>
            <option value="">Choose</option>
            {TITLES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
          <TextField className={styles.third} label="First name" autoComplete={lead ? 'given-name' : 'off'} {...field('firstName')} />
          <TextField className={styles.third} label="Last name" autoComplete={lead ? 'family-name' : 'off'} {...field('lastName')} />
          <TextField
            className={styles.half}
            label="Date of birth"
            type="date"
            max={today()}
            autoComplete={lead ? 'bday' : 'off'}
            {...field('dateOfBirth')}
          />
          <SelectField
            className={styles.half}
            label="Gender"
            optional
            hint={asksTitleOrGender(values) && values.title ? 'Airlines ask for it where the title does not say.' : undefined}
            {...field('gender')}
          >
            <option value="">Choose</option>
            {GENDERS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
          <TextField
            className={styles.half}
            label="Email"
            type="email"
            optional={!lead}
            autoComplete={lead ? 'email' : 'off'}
            hint={lead ? 'The confirmation goes here.' : undefined}
            {...field('email')}
          />
          <TextField
            className={styles.half}
            label="Phone"
            type="tel"
            optional={!lead}
            autoComplete={lead ? 'tel' : 'off'}
            hint={lead ? 'Only for changes to your flights.' : undefined}
            {...field('phone')}
          />
        </div>
        <PassportFields
          required={rules.passportRequired}
          expiry={values.passportExpiryDate}
          number={field('passportNumber')}
          expiryDate={field('passportExpiryDate')}
          country={field('passportIssuingCountry')}
        />
      </div>
    </section>
  )
}
