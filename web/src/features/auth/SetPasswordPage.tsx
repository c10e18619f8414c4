import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, api } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { type Refusal, refusalOf } from '../../lib/refusal.ts'
import { Link, useNavigate } from '../../lib/router.ts'
import { schemaResolver } from '../../lib/schema-resolver.ts'
import { refreshUser } from '../../lib/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'
import styles from './AuthForm.module.css'
import { AuthLayout } from './AuthLayout.tsx'
import { SetPasswordForm, type SetPasswordValues } from './model/credentials.ts'
import { PasswordField } from './PasswordField.tsx'
import { Refused } from './Refused.tsx'
import { useLinkToken } from './use-link-token.ts'

/** The single-use link of a mail leads here. */
export function SetPasswordPage() {
  const token = useLinkToken()
  return token ? <ChoosePassword token={token} key={token} /> : <NoToken />
}

function ChoosePassword({ token }: { token: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<(Refusal & { spent: boolean }) | null>(null)
  const { register, handleSubmit, formState } = useForm({
    resolver: schemaResolver(SetPasswordForm),
    defaultValues: { newPassword: '', confirmPassword: '' } satisfies SetPasswordValues,
  })
  const { errors, isSubmitting } = formState

  async function submit({ newPassword }: SetPasswordValues): Promise<void> {
    setRefusal(null)
    try {
      await api.setPassword({ body: { token, newPassword } })
    } catch (error) {
      const spent = error instanceof ApiError && error.code === 'LINK_INVALID'
      return setRefusal({ ...refusalOf(error, 'Failed to update password'), spent })
    }
    toast({ title: 'Your password has been set', description: 'Please sign in with it.', tone: 'positive' })
    // Every session of the account has ended, perhaps also the one of this browser.
    await refreshUser(queryClient)
    await navigate(paths.login)
  }

  return (
    <AuthLayout
      title="Choose a password"
      intro="You sign in with it from now on."
      words="One account for every trip: see your bookings, cancel one and find its reference again."
    >
      <form className={styles.form} aria-label="Choose a password" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="The password was not set" message={refusal.message} />}
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 12 characters, with an uppercase letter, a lowercase letter, a number and a special character."
          error={errors.newPassword?.message}
          {...register('newPassword')}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <Button type="submit" variant="solid" size="lg" full busy={isSubmitting}>
          {isSubmitting ? 'Saving' : 'Save password'}
        </Button>
      </form>
      <p className={styles.other}>
        {refusal?.spent ? <Link to={paths.contact}>Ask for a new link</Link> : <Link to={paths.login}>Log In</Link>}
      </p>
    </AuthLayout>
  )
}

function NoToken() {
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        title="This link is not complete"
        actions={
          <ButtonLink variant="solid" to={paths.contact}>
            Ask for a new link
          </ButtonLink>
        }
      >
        Open it again from our e-mail, or copy it whole into the address bar.
      </EmptyState>
    </div>
  )
}
