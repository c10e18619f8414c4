import { ISSUING_COUNTRIES, normalisePassportNumber, passportExpiryHint } from '@passerelle/contracts/rules/passport'
import { TriangleAlert } from 'lucide-react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { today } from '../../../lib/format/dates.ts'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import styles from './Passengers.module.css'

type FormField = UseFormRegisterReturn & { error: string | undefined }
type Props = { required: boolean; expiry: string; number: FormField; expiryDate: FormField; country: FormField }

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' })

export function PassportFields({ required, expiry, number, expiryDate, country }: Props) {
  const hint = passportExpiryHint(expiry, today())
  return (
    <>
      <p className={styles.sub}>
        <span>Passport</span>
        <span>{required ? 'Required on international flights' : 'Optional on this flight'}</span>
      </p>
      <div className={styles.grid}>
        <TextField
          className={styles.third}
          label="Passport number"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...number}
          onChange={(event) => {
            const written = normalisePassportNumber(event.target.value)
            if (written !== event.target.value) event.target.value = written
            return number.onChange(event)
          }}
        />
        <TextField
          className={styles.thirdPair}
          label="Passport expiry date"
          type="date"
          autoComplete="off"
          hint={
            hint && (
              <span className={styles.warning}>
                <TriangleAlert size={16} strokeWidth={2} aria-hidden="true" />
                {hint}
              </span>
            )
          }
          {...expiryDate}
        />
        <SelectField className={styles.thirdPair} label="Passport issuing country" autoComplete="off" {...country}>
          <option value="">Choose</option>
          {ISSUING_COUNTRIES.map((code) => (
            <option key={code} value={code}>
              {regionNames.of(code)} ({code})
            </option>
          ))}
        </SelectField>
      </div>
    </>
  )
}
