import type { Money } from '@passerelle/contracts/http/common'
import { type CardDetails, cardProblem, digitsOnly, groupCardNumber } from '@passerelle/contracts/rules/card'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { Lock } from 'lucide-react'
import { type ChangeEvent, useEffect, useId, useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { usePhone } from '../../../ui/use-media.ts'
import layout from '../Booking.module.css'
import { cardBrand } from '../model/card-brand.ts'
import type { Notice } from '../model/checkout-state.ts'
import { PayFoot } from './PayFoot.tsx'
import styles from './Payment.module.css'
import { PaymentAlert } from './PaymentAlert.tsx'
import { TestCard } from './TestCard.tsx'

const EMPTY: CardDetails = { number: '', expiryMonth: '', expiryYear: '', cvv: '', holderName: '' }

type Props = {
  total: Money
  saidTest: boolean
  paying: boolean
  over: boolean
  /** Why the last attempt failed. */
  notice: Extract<Notice, { kind: 'payment' }> | null
  onPay: (card: CardDetails) => Promise<void>
}

/** The number and the code live in this form alone, and only until they have been used. */
export function CardForm({ total, saidTest, paying, over, notice, onPay }: Props) {
  const { register, control, handleSubmit, setError, setFocus, reset, getValues, clearErrors, formState } = useForm<CardDetails>({
    defaultValues: EMPTY,
  })
  const number = useWatch({ control, name: 'number' })
  const brand = cardBrand(number)
  const alert = useRef<HTMLDivElement>(null)
  const alertId = useId()
  const phone = usePhone()

  // After a decline: another card is wanted, and the reason stays in view above the keyboard of a phone.
  useEffect(() => {
    if (!notice?.declined) return
    // In this order: emptying forgets the fields until they are drawn again.
    setFocus('number')
    reset({ ...EMPTY, holderName: getValues('holderName') })
    if (phone) alert.current?.scrollIntoView({ block: 'start' })
  }, [notice, phone, reset, getValues, setFocus])

  async function submit(card: CardDetails): Promise<void> {
    const problem = cardProblem(card, new Date())
    if (problem) {
      setError(problem.field, { message: problem.message })
      setFocus(problem.field)
      return void toast({ title: problem.title, description: problem.message, tone: 'negative' })
    }
    await onPay(card)
  }

  /** Keeps a field to what it takes while it is typed. */
  function typed(name: keyof CardDetails, clean: (text: string) => string) {
    const field = register(name)
    return {
      ...field,
      required: true,
      error: formState.errors[name]?.message,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const text = clean(event.target.value)
        if (text !== event.target.value) event.target.value = text
        clearErrors(name)
        return field.onChange(event)
      },
    }
  }
  const digits = (most: number) => (text: string) => digitsOnly(text).slice(0, most)

  return (
    <form
      className={`card ${layout.pad} ${styles.form}`}
      noValidate
      aria-labelledby="card-heading"
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <div className={styles.head}>
        <h2 id="card-heading">Card details</h2>
        <span>
          <Lock size={16} strokeWidth={2} aria-hidden="true" />
          Encrypted
        </span>
      </div>
      {saidTest && <TestCard />}
      {notice && <PaymentAlert notice={notice} id={alertId} ref={alert} />}
      <fieldset className={styles.fields} disabled={paying || over}>
        <legend className="visually-hidden">Card</legend>
        <div className={styles.number}>
          <TextField
            label="Card number"
            inputMode="numeric"
            autoComplete="cc-number"
            {...(notice && !formState.errors.number && { 'aria-describedby': alertId })}
            {...typed('number', groupCardNumber)}
          />
          {brand && (
            <span className={styles.brand} aria-hidden="true">
              {brand}
            </span>
          )}
        </div>
        <TextField
          className={styles.third}
          label="Expiry month"
          inputMode="numeric"
          autoComplete="cc-exp-month"
          placeholder="MM"
          {...typed('expiryMonth', digits(2))}
        />
        <TextField
          className={styles.third}
          label="Expiry year"
          inputMode="numeric"
          autoComplete="cc-exp-year"
          placeholder="YY"
          {...typed('expiryYear', lastTwoOfYear)}
        />
        <TextField
          className={styles.cvv}
          label="CVV"
          inputMode="numeric"
          autoComplete="cc-csc"
          hint="3 or 4 digits"
          {...typed('cvv', digits(4))}
        />
        <TextField className={styles.whole} label="Name on card" autoComplete="cc-name" {...typed('holderName', (text) => text)} />
      </fieldset>
      <PayFoot over={over} paying={paying} label={`Pay ${formatMoney(total.amount, total.currency)}`} />
    </form>
  )
}

/** Browsers fill in "2029": the form keeps "29". */
function lastTwoOfYear(text: string): string {
  const digits = digitsOnly(text)
  return digits.length >= 4 ? digits.slice(0, 4).slice(-2) : digits.slice(0, 2)
}
