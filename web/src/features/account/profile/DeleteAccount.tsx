import type { DeleteAccount as Proof } from '@passerelle/contracts/http/account'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '../../../lib/api-client.ts'
import { paths } from '../../../lib/paths.ts'
import { refusalOf } from '../../../lib/refusal.ts'
import { useSchemaResolver } from '../../../lib/schema-resolver.ts'
import { forgetUserOn401 } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { Refused } from '../../../ui/Refused.tsx'
import styles from '../Account.module.css'

const schema = () => import('@passerelle/contracts/http/account').then((account) => account.DeleteAccount)

type Props = { open: boolean; onClose: () => void }

/** Asks for the password, deletes, and says goodbye. */
export function DeleteAccount({ open, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useId()
  const [gone, setGone] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { register, handleSubmit, reset, setError, formState } = useForm({
    resolver: useSchemaResolver(schema),
    defaultValues: { password: '' },
  })
  const { errors, isSubmitting } = formState
  const field = useRef<HTMLInputElement | null>(null)
  const { ref, ...password } = register('password')

  function close(): void {
    if (isSubmitting) return
    reset()
    setRefusal(null)
    onClose()
  }

  async function submit(body: Proof): Promise<void> {
    setRefusal(null)
    try {
      await api.deleteAccount({ body })
      setGone(true)
    } catch (error) {
      forgetUserOn401(queryClient, error)
      const { message, fields } = refusalOf(error, 'Your account could not be deleted. Please try again.', { PASSWORD_WRONG: 'password' })
      if (fields.password) setError('password', { message: fields.password }, { shouldFocus: true })
      else setRefusal(message)
    }
  }

  if (gone) return <Goodbye open={open} onClose={() => window.location.assign(paths.home)} />
  return (
    <Dialog
      open={open}
      onClose={close}
      role="alertdialog"
      initialFocus={field}
      title="Delete your account?"
      description="Your sign-in and your profile are deleted at once. This cannot be undone."
      footer={
        <>
          <Button variant="line" onClick={close} disabled={isSubmitting}>
            Keep account
          </Button>
          <Button type="submit" form={form} variant="danger" busy={isSubmitting}>
            {isSubmitting ? 'Deleting' : 'Delete account'}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} aria-label="Delete account" noValidate onSubmit={(event) => void handleSubmit(submit)(event)}>
        {refusal && <Refused title="The account was not deleted" message={refusal} />}
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...password}
          ref={(input: HTMLInputElement | null) => {
            ref(input)
            field.current = input
          }}
        />
      </form>
    </Dialog>
  )
}

/** The page behind it still shows what was deleted, so it is left by loading the home page afresh. */
function Goodbye({ open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      title="Your account has been deleted"
      description="You are signed out on every device. Trips that you booked are not cancelled: you find them by their reference and your e-mail."
      footer={
        <Button variant="solid" onClick={onClose}>
          Go to the home page
        </Button>
      }
    />
  )
}
