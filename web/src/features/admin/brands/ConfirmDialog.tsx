import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description: string
  confirm: string
  danger?: boolean
  children?: ReactNode
  onConfirm: () => Promise<void>
}

/** A question before something that visitors see or that is lost. */
export function ConfirmDialog({ open, onClose, title, description, confirm, danger = false, children, onConfirm }: Props) {
  const [busy, setBusy] = useState(false)
  async function press(): Promise<void> {
    setBusy(true)
    await onConfirm()
    setBusy(false)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'solid'} busy={busy} onClick={() => void press()}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
