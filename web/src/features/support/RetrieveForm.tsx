import type { Booking } from '@passerelle/contracts/http/booking'
import type { RetrieveBooking } from '@passerelle/contracts/rules/retrieve-booking'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '../../lib/api-client.ts'
import { useSchemaResolver } from '../../lib/schema-resolver.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { type RetrieveFailure, retrieveFailure } from './retrieve-failure.ts'
import styles from './SupportPage.module.css'

const schema = () => import('@passerelle/contracts/rules/retrieve-booking').then(({ RetrieveBooking }) => RetrieveBooking)

type Props = { words: string; large?: boolean; onFound: (booking: Booking) => void }

/** Reference and e-mail find a booking; whatever does not fit is answered with the same words. */
export function RetrieveForm({ words, large = false, onFound }: Props) {
  const [failure, setFailure] = useState<RetrieveFailure | null>(null)
  const { register, handleSubmit, formState } = useForm<RetrieveBooking>({
    resolver: useSchemaResolver(schema),
    defaultValues: { reference: '', email: '' },
  })
  const { errors, isSubmitting } = formState

  async function submit(body: RetrieveBooking): Promise<void> {
    setFailure(null)
    try {
      onFound(await api.retrieveBooking({ body }))
    } catch (error) {
      setFailure(retrieveFailure(error))
    }
  }

  return (
    <form className={`card ${styles.box}`} aria-label="Retrieve Booking" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
      <div>
        <h2>Retrieve Booking</h2>
        <p className={styles.small}>{words}</p>
      </div>
      {failure && (
        <Alert tone="negative" title={failure.title}>
          {failure.words}
        </Alert>
      )}
      <TextField
        label="Booking reference"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        required
        className={styles.reference}
        hint={large ? '8 letters and digits, in your confirmation e-mail' : undefined}
        error={errors.reference?.message}
        {...register('reference')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        placeholder={large ? undefined : 'The one you booked with'}
        error={errors.email?.message}
        {...register('email')}
      />
      <Button type="submit" variant="solid" size={large ? 'lg' : 'md'} full busy={isSubmitting}>
        {isSubmitting ? 'Looking' : 'Retrieve Booking'}
      </Button>
    </form>
  )
}
