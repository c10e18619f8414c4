import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description: string
  children?: ReactNode
  cancel: string
  confirm: string
  danger?: boolean
  /** Gives why the password was not enough, or null when the dialog may close. */
  onConfirm: (password: string) => Promise<string | null>
}

/** Asks for the password of whoever is signed in. */
export function ProofDialog({ open, onClose, title, description, children, cancel, confirm, danger = false, onConfirm }: Props) {
  const user = useUser()
  const form = useId()
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  function close(): void {
    setPassword('')
    setRefusal(null)
    onClose()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (password === '') {
      setRefusal('Please enter your password')
      field.current?.focus()
      return
    }
    setBusy(true)
    const why = await onConfirm(password)
    setBusy(false)
    if (why === null) return close()
    setRefusal(why)
    field.current?.select()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      role="alertdialog"
      title={title}
      description={description}
      initialFocus={field}
      footer={
        <>
          <Button onClick={close}>{cancel}</Button>
          <Button type="submit" form={form} variant={danger ? 'danger' : 'solid'} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
        <TextField
          ref={field}
          label="Your password"
          required
          type="password"
          autoComplete="current-password"
          hint="Proves that it is you. The change is recorded with your name and the time."
          error={refusal ?? undefined}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
