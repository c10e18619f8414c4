import { ISSUING_COUNTRIES, normalisePassportNumber, passportExpiryHint } from '@passerelle/contracts/rules/passport'
import { TriangleAlert } from 'lucide-react'
import { useFormState, useWatch } from 'react-hook-form'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './Passengers.module.css'

const countryNames = new Intl.DisplayNames('en', { type: 'region' })
const COUNTRIES = ISSUING_COUNTRIES.map((code) => [code, `${countryNames.of(code) ?? code} (${code})`] as const)

export function PassportFields({ index, form, rules }: FieldProps) {
  const { control, register } = form
  const expiry = useWatch({ control, name: `passengers.${index}.passportExpiryDate` })
  const { errors } = useFormState({ control, name: `passengers.${index}` })
  const wrong = errors.passengers?.[index]
  const optional = !rules.passportRequired
  const hint = passportExpiryHint(expiry, rules.today)
  const number = register(`passengers.${index}.passportNumber`)

  return (
    <fieldset className={styles.part}>
      <legend>
        Passport <span>{optional ? 'Optional on these flights' : 'Required on international flights'}</span>
      </legend>
      <div className={styles.grid}>
        <TextField
          className={styles.third}
          label="Passport number"
          required={rules.passportRequired}
          optional={optional}
          error={wrong?.passportNumber?.message}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...number}
          onChange={(event) => {
            const clean = normalisePassportNumber(event.target.value)
            // Only when it differs: assigning moves the caret to the end.
            if (clean !== event.target.value) event.target.value = clean
            return number.onChange(event)
          }}
        />
        <TextField
          className={`${styles.third} ${styles.pair}`}
          label="Expiry date"
          type="date"
          required={rules.passportRequired}
          optional={optional}
          error={wrong?.passportExpiryDate?.message}
          autoComplete="off"
          hint={
            hint && (
              <span className={styles.warning}>
                <TriangleAlert size={16} strokeWidth={2} aria-hidden="true" />
                {hint}
              </span>
            )
          }
          {...register(`passengers.${index}.passportExpiryDate`)}
        />
        <SelectField
          className={`${styles.third} ${styles.pair}`}
          label="Issuing country"
          required={rules.passportRequired}
          optional={optional}
          error={wrong?.passportIssuingCountry?.message}
          autoComplete="off"
          {...register(`passengers.${index}.passportIssuingCountry`)}
        >
          <option value="">Choose</option>
          {COUNTRIES.map(([code, label]) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
    </fieldset>
  )
}
