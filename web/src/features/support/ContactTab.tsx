import type { SupportRequest } from '@passerelle/contracts/http/messages'
import { Phone } from 'lucide-react'
import type { z } from 'zod'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { useFacts } from '../../brand/facts.ts'
import { api } from '../../lib/api-client.ts'
import { telephone } from '../../lib/paths.ts'
import { Button, ButtonAnchor } from '../../ui/Button.tsx'
import { TextareaField, TextField } from '../../ui/Field.tsx'
import form from '../../ui/Form.module.css'
import { MessageRefused } from '../../ui/MessageRefused.tsx'
import { NeededNote } from '../../ui/NeededNote.tsx'
import { useMessageForm } from '../../ui/use-message-form.ts'
import { WithAside } from '../../ui/WithAside.tsx'
import styles from './SupportPage.module.css'

type Values = z.input<typeof SupportRequest>

const schema = () => import('@passerelle/contracts/http/messages').then(({ SupportRequest }) => SupportRequest)
const FRESH: Values = { fullName: '', email: '', reference: '', subject: '', message: '' }

/** A message to the support. */
export function ContactTab() {
  return (
    <WithAside asideLabel="Other ways" aside={<FlyingToday />}>
      <h2 className={styles.heading}>Write to support</h2>
      <SupportForm />
    </WithAside>
  )
}

function SupportForm() {
  const { emailReply } = useFacts()
  const {
    form: { register, formState },
    refusal,
    onSubmit,
  } = useMessageForm<Values, SupportRequest>(schema, FRESH, (body) => api.sendSupportRequest({ body }))
  const { errors, isSubmitting } = formState
  return (
    <form className={`card ${form.form}`} aria-label="Write to support" noValidate onSubmit={onSubmit}>
      {refusal && <MessageRefused refusal={refusal} />}
      <NeededNote />
      <div className={form.fields}>
        <TextField label="Full name" autoComplete="name" required error={errors.fullName?.message} {...register('fullName')} />
        <TextField label="Email" type="email" autoComplete="email" required error={errors.email?.message} {...register('email')} />
        <TextField
          label="Booking reference"
          optional
          autoCapitalize="characters"
          autoComplete="off"
          error={errors.reference?.message}
          {...register('reference')}
        />
        <TextField label="Subject" required error={errors.subject?.message} {...register('subject')} />
        <TextareaField label="Message" required rows={5} className={form.whole} error={errors.message?.message} {...register('message')} />
      </div>
      <div className={form.foot}>
        <Button type="submit" variant="solid" size="lg" busy={isSubmitting}>
          {isSubmitting ? 'Sending' : 'Submit Request'}
        </Button>
        <p>We answer by e-mail within {emailReply}.</p>
      </div>
    </form>
  )
}

function FlyingToday() {
  const { contact } = useBrand()
  const { supportHours } = useFacts()
  return (
    <section className={`card ${styles.box}`}>
      <h2>Flying today?</h2>
      <p className={styles.small}>Call. Support is on the line {supportHours}.</p>
      <ButtonAnchor variant="line" full href={telephone(contact.phone)}>
        <Phone size={16} strokeWidth={2} aria-hidden="true" />
        {contact.phone}
      </ButtonAnchor>
    </section>
  )
}
