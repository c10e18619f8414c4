import type { Contact } from '@passerelle/contracts/http/messages'
import type { z } from 'zod'
import { api } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { Link } from '../../lib/router.ts'
import { Button } from '../../ui/Button.tsx'
import { Check } from '../../ui/Choice.tsx'
import { SelectField, TextareaField, TextField } from '../../ui/Field.tsx'
import form from '../../ui/Form.module.css'
import { MessageRefused } from '../../ui/MessageRefused.tsx'
import { NeededNote } from '../../ui/NeededNote.tsx'
import { useMessageForm } from '../../ui/use-message-form.ts'
import styles from './ContactPage.module.css'
import { INQUIRY_TYPES } from './content.ts'

/** As the fields hold it: nothing chosen and nothing agreed to are values too. */
type Values = Omit<z.input<typeof Contact>, 'inquiryType' | 'consent'> & { inquiryType: string; consent: boolean }

const schema = () => import('@passerelle/contracts/http/messages').then(({ Contact }) => Contact as never)
const FRESH: Values = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  inquiryType: '',
  destination: '',
  reference: '',
  message: '',
  preferredContact: 'email',
  consent: false,
}

export function ContactForm() {
  const {
    form: { register, watch, formState },
    refusal,
    onSubmit,
  } = useMessageForm<Values, Contact>(schema, FRESH, (body) => api.sendContact({ body }))
  const { errors, isSubmitting } = formState
  const byPhone = watch('preferredContact') === 'phone'
  return (
    <form className={`card ${form.form}`} aria-label="Send a message" noValidate onSubmit={onSubmit}>
      {refusal && <MessageRefused refusal={refusal} />}
      <NeededNote />
      <div className={form.fields}>
        <TextField label="First name" autoComplete="given-name" required error={errors.firstName?.message} {...register('firstName')} />
        <TextField label="Last name" autoComplete="family-name" required error={errors.lastName?.message} {...register('lastName')} />
        <TextField label="Email" type="email" autoComplete="email" required error={errors.email?.message} {...register('email')} />
        <TextField
          label="Phone"
          type="tel"
          autoComplete="tel"
          optional={!byPhone}
          required={byPhone}
          error={errors.phone?.message}
          {...register('phone')}
        />
        <SelectField label="Inquiry type" required error={errors.inquiryType?.message} {...register('inquiryType')}>
          <option value="">Please choose</option>
          {INQUIRY_TYPES.map(([type, label]) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Booking reference"
          optional
          autoCapitalize="characters"
          autoComplete="off"
          hint="8 letters and digits, in your confirmation e-mail"
          error={errors.reference?.message}
          {...register('reference')}
        />
        <TextField label="Destination" optional className={form.whole} error={errors.destination?.message} {...register('destination')} />
        <TextareaField label="Message" required rows={5} className={form.whole} error={errors.message?.message} {...register('message')} />
        <fieldset className={form.whole}>
          <legend className={styles.legend}>Preferred contact method</legend>
          <div className={styles.methods}>
            <Check type="radio" value="email" {...register('preferredContact')}>
              Email
            </Check>
            <Check type="radio" value="phone" {...register('preferredContact')}>
              Phone
            </Check>
          </div>
        </fieldset>
      </div>
      <div className={styles.consent}>
        <Check
          required
          aria-invalid={errors.consent ? true : undefined}
          aria-describedby={errors.consent ? 'consent-error' : undefined}
          {...register('consent')}
        >
          I agree that my details are used to answer me, as the <Link to={paths.privacy}>Privacy Policy</Link> says.
        </Check>
        {errors.consent && (
          <p id="consent-error" className={styles.error}>
            {errors.consent.message}
          </p>
        )}
      </div>
      <div className={form.foot}>
        <Button type="submit" variant="solid" size="lg" busy={isSubmitting}>
          {isSubmitting ? 'Sending' : 'Send message'}
        </Button>
      </div>
    </form>
  )
}
