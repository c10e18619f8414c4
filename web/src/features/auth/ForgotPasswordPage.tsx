import type { ForgotPassword } from '@passerelle/contracts/http/identity'
import { ArrowLeft, Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { refusalOf } from '../../lib/refusal.ts'
import { useSchemaResolver } from '../../lib/schema-resolver.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Refused } from '../../ui/Refused.tsx'
import styles from './AuthForm.module.css'
import { AuthLayout } from './AuthLayout.tsx'

/** The server's answer, in the same words for every address. */
type Sent = { message: string; times: number }

const schema = () => import('@passerelle/contracts/http/identity').then(({ ForgotPassword }) => ForgotPassword)

export function ForgotPasswordPage() {
  const [sent, setSent] = useState<Sent | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { register, handleSubmit, formState } = useForm({ resolver: useSchemaResolver(schema), defaultValues: { email: '' } })
  const { errors, isSubmitting } = formState

  async function submit(body: ForgotPassword): Promise<void> {
    setRefusal(null)
    try {
      const { message } = await api.forgotPassword({ body })
      setSent({ message, times: (sent?.times ?? 0) + 1 })
    } catch (error) {
      setRefusal(refusalOf(error, 'The link could not be sent. Please try again.').message)
    }
  }

  return (
    <AuthLayout
      title={sent ? 'Look at your e-mail' : 'Forgot your password?'}
      intro={
        sent
          ? 'The link in it lets you choose a new password.'
          : 'Tell us the e-mail of your account. We send you a link to choose a new password.'
      }
      words="No account? Your trip is also under its reference and your e-mail."
    >
      <form className={styles.form} aria-label="Forgot password" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="The link was not sent" message={refusal} />}
        {sent ? (
          <Answer {...sent} />
        ) : (
          <TextField label="Email" type="email" required autoComplete="email" error={errors.email?.message} {...register('email')} />
        )}
        <Button type="submit" variant={sent ? 'line' : 'solid'} size="lg" full busy={isSubmitting}>
          {isSubmitting ? 'Sending' : sent ? 'Send it again' : 'Send the link'}
        </Button>
      </form>
      <p className={styles.other}>
        <ButtonLink variant="quiet" to={paths.login}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back to Log In
        </ButtonLink>
      </p>
    </AuthLayout>
  )
}

/** Takes the focus, also when it is the answer to another request. */
export function Answer({ message, times }: Sent) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer is told
  useEffect(() => box.current?.focus(), [times])
  return (
    <>
      <Alert tone="info" icon={Mail} role="status" ref={box}>
        {message}
        {times > 1 && ` Asked for ${times} times.`}
      </Alert>
      <p className={styles.note}>Nothing after a few minutes? Look among the unwanted mail, then ask again.</p>
    </>
  )
}
