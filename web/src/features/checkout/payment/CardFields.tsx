import { Input } from '@chakra-ui/react'
import { type CardDetails, digitsOnly, groupCardNumber } from '@passerelle/contracts/rules/card'
import type { ChangeEvent } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Field, TextField } from '../../../ui/Field.tsx'
import { cardBrand } from '../../booking/model/card-brand.ts'
import styles from './Payment.module.css'

type Name = keyof CardDetails

const SHAPES: Partial<Record<Name, (text: string) => string>> = {
  number: groupCardNumber,
  expiryMonth: (text) => digitsOnly(text).slice(0, 2),
  // Browsers that fill in "2029" mean "29".
  expiryYear: (text) =>
    digitsOnly(text)
      .replace(/^20(?=\d\d)/, '')
      .slice(0, 2),
  cvv: (text) => digitsOnly(text).slice(0, 4),
}

/** Nothing of it is kept anywhere but in the fields. */
export function CardFields({ form, locked }: { form: UseFormReturn<CardDetails>; locked: boolean }) {
  const { register, control, formState } = form
  const brand = cardBrand(useWatch({ control, name: 'number' }))
  const field = (name: Name) => {
    const registered = register(name)
    return {
      ...registered,
      readOnly: locked,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const shaped = SHAPES[name]?.(event.target.value) ?? event.target.value
        if (shaped !== event.target.value) event.target.value = shaped
        form.clearErrors(name)
        return registered.onChange(event)
      },
    }
  }
  const error = (name: Name) => formState.errors[name]?.message
  return (
    <div className={styles.fields}>
      <Field className={styles.whole} label="Card number" error={error('number')}>
        <div className={styles.number}>
          <Input inputMode="numeric" autoComplete="cc-number" {...field('number')} />
          {brand && (
            <span className={styles.mark} aria-hidden="true">
              {brand}
            </span>
          )}
        </div>
      </Field>
      <TextField
        className={styles.part}
        label="Expiry month"
        inputMode="numeric"
        autoComplete="cc-exp-month"
        placeholder="MM"
        error={error('expiryMonth')}
        {...field('expiryMonth')}
      />
      <TextField
        className={styles.part}
        label="Expiry year"
        inputMode="numeric"
        autoComplete="cc-exp-year"
        placeholder="YY"
        error={error('expiryYear')}
        {...field('expiryYear')}
      />
      <TextField
        className={styles.code}
        label="CVV"
        inputMode="numeric"
        autoComplete="cc-csc"
        hint="3 or 4 digits"
        error={error('cvv')}
        {...field('cvv')}
      />
      <TextField
        className={styles.whole}
        label="Name on card"
        autoComplete="cc-name"
        error={error('holderName')}
        {...field('holderName')}
      />
    </div>
  )
}
