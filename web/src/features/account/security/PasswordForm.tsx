import type { User } from '@passerelle/contracts/http/identity'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { api } from '../../../lib/api-client.ts'
import { showFieldErrors } from '../../../lib/field-errors.ts'
import type { ChangePasswordValues } from '../../../lib/new-password-schemas.ts'
import type { Refusal } from '../../../lib/refusal.ts'
import { useSchemaResolver } from '../../../lib/schema-resolver.ts'
import { forgetUserOn401, refreshUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { NewPasswordFields } from '../../../ui/NewPasswordFields.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { Refused } from '../../../ui/Refused.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Account.module.css'
import { Box } from '../Box.tsx'
import { passwordDate } from '../model/moments.ts'
import { refusalFor, refusalIn } from '../model/password-change.ts'
import { sessionsQuery } from '../sessions-query.ts'

const schema = () => import('../../../lib/new-password-schemas.ts').then(({ ChangePasswordForm }) => ChangePasswordForm)
const FRESH: ChangePasswordValues = { currentPassword: '', newPassword: '', confirmPassword: '' }

export function PasswordForm({ user }: { user: User }) {
  const queryClient = useQueryClient()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { register, handleSubmit, control, reset, setError, formState } = useForm({
    resolver: useSchemaResolver(schema),
    defaultValues: FRESH,
  })
  const typed = useWatch({ control, name: 'newPassword' })
  const { errors, isSubmitting } = formState

  async function submit({ currentPassword, newPassword }: ChangePasswordValues): Promise<void> {
    setRefusal(null)
    try {
      const answer = await api.changePassword({ body: { currentPassword, newPassword } })
      const refused = refusalIn(answer)
      if (refused) return setRefusal(refused)
    } catch (error) {
      forgetUserOn401(queryClient, error)
      const refused = refusalFor(error)
      setRefusal(refused)
      return showFieldErrors(setError, FRESH, refused.fields)
    }
    reset(FRESH)
    toast({ title: 'Your password has been updated', description: 'Your other devices are signed out.', tone: 'positive' })
    await Promise.all([refreshUser(queryClient), queryClient.invalidateQueries(sessionsQuery)])
  }

  return (
    <Box title="Change password" beside={`Last changed: ${passwordDate(user)}`}>
      <form className={styles.form} aria-label="Change password" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="Error" message={refusal.message} />}
        {/* Tells password managers whose password it is. */}
        <input type="text" name="username" value={user.username} autoComplete="username" readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          error={errors.currentPassword?.message}
          {...register('currentPassword')}
        />
        <NewPasswordFields
          typed={typed}
          newPassword={register('newPassword')}
          confirmPassword={register('confirmPassword')}
          errors={errors}
        />
        <div className={styles.foot}>
          <Button type="submit" variant="solid" busy={isSubmitting}>
            {isSubmitting ? 'Changing' : 'Change password'}
          </Button>
          <p className={styles.small}>Your other devices are signed out.</p>
        </div>
      </form>
    </Box>
  )
}
