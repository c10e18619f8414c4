import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { api } from '../../lib/api-client.ts'
import { showFieldErrors } from '../../lib/field-errors.ts'
import type { SetPasswordValues } from '../../lib/new-password-schemas.ts'
import { paths } from '../../lib/paths.ts'
import { type Refusal, refusalOf } from '../../lib/refusal.ts'
import { useNavigate } from '../../lib/router.ts'
import { useSchemaResolver } from '../../lib/schema-resolver.ts'
import { refreshUser } from '../../lib/session.ts'
import { useLinkToken } from '../../lib/use-link-token.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { NewPasswordFields } from '../../ui/NewPasswordFields.tsx'
import { Refused } from '../../ui/Refused.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './AuthForm.module.css'
import { AuthLayout } from './AuthLayout.tsx'
import { BadLink } from './BadLink.tsx'
import { isSpentLink } from './model/spent-link.ts'

const schema = () => import('../../lib/new-password-schemas.ts').then(({ SetPasswordForm }) => SetPasswordForm)
const FRESH: SetPasswordValues = { newPassword: '', confirmPassword: '' }

/** For a forgotten password, and for the first one of an account that a booking has made. */
export function SetPasswordPage() {
  const token = useLinkToken()
  return token ? <ChoosePassword token={token} key={token} /> : <BadLink />
}

function ChoosePassword({ token }: { token: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [spent, setSpent] = useState(false)
  const { register, handleSubmit, control, setError, formState } = useForm({
    resolver: useSchemaResolver(schema),
    defaultValues: FRESH,
  })
  const typed = useWatch({ control, name: 'newPassword' })
  const { errors, isSubmitting } = formState

  async function submit({ newPassword }: SetPasswordValues): Promise<void> {
    setRefusal(null)
    try {
      await api.setPassword({ body: { token, newPassword } })
    } catch (error) {
      if (isSpentLink(error)) return setSpent(true)
      const refused = refusalOf(error, 'Failed to update password')
      setRefusal(refused)
      return showFieldErrors(setError, FRESH, refused.fields)
    }
    toast({ title: 'Your password has been set', description: 'Please sign in with it.', tone: 'positive' })
    // Every session of the account has ended, perhaps also the one of this browser.
    await refreshUser(queryClient)
    await navigate(paths.login)
  }

  if (spent) return <BadLink spent />
  return (
    <AuthLayout
      title="Choose a password"
      intro="You sign in with it from now on."
      words="Choose one that you use nowhere else. A short sentence is easy to keep in mind."
    >
      <form className={styles.form} aria-label="Choose a password" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="The password was not set" message={refusal.message} />}
        <NewPasswordFields
          typed={typed}
          newPassword={register('newPassword')}
          confirmPassword={register('confirmPassword')}
          errors={errors}
        />
        <Button type="submit" variant="solid" size="lg" full busy={isSubmitting}>
          {isSubmitting ? 'Saving' : 'Save new password'}
        </Button>
      </form>
      <p className={`${styles.note} ${styles.other}`}>
        Every device that is signed in is signed out. Then you log in with the new password.
      </p>
      <p className={styles.other}>
        <ButtonLink variant="quiet" to={paths.login}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back to Log In
        </ButtonLink>
      </p>
    </AuthLayout>
  )
}
