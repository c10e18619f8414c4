import { useFormState } from 'react-hook-form'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import type { FieldProps } from './field-props.ts'
import styles from './Passengers.module.css'

/** The airline of a frequent flyer programme and the number in it; `airlines` are those that the offer takes, with their labels. */
export function FrequentFlyerFields({ index, form, airlines }: FieldProps & { airlines: readonly (readonly [string, string])[] }) {
  const { control, register } = form
  const { errors } = useFormState({ control, name: `passengers.${index}` })
  const wrong = errors.passengers?.[index]
  return (
    <fieldset className={styles.part}>
      <legend>
        Frequent flyer <span>Optional, sent to the airline with the booking</span>
      </legend>
      <div className={styles.grid}>
        <SelectField
          className={styles.half}
          label="Airline of the programme"
          optional
          error={wrong?.frequentFlyerAirline?.message}
          autoComplete="off"
          {...register(`passengers.${index}.frequentFlyerAirline`)}
        >
          <option value="">Choose</option>
          {airlines.map(([code, label]) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          className={styles.half}
          label="Frequent flyer number"
          optional
          error={wrong?.frequentFlyerNumber?.message}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...register(`passengers.${index}.frequentFlyerNumber`)}
        />
      </div>
    </fieldset>
  )
}
