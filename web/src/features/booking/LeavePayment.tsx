import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toasts } from '../../ui/toaster/toast-store.ts'

type Props = { open: boolean /** Stays. */; onClose: () => void; onLeave: () => void; uncertain: boolean }

/** Asks whoever leaves while nobody knows yet what comes of the payment. */
export function LeavePayment({ open, onClose, onLeave, uncertain }: Props) {
  const stay = useRef<HTMLButtonElement>(null)
  // None lies over the answers on a phone.
  useEffect(() => {
    if (open) toasts.clear()
  }, [open])
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      initialFocus={stay}
      title={uncertain ? 'We do not know yet whether your booking went through' : 'Your payment is still running'}
      description={`${uncertain ? 'We keep looking' : 'It goes on'} if you leave this page. Every page of this website then tells you what came of it.`}
      footer={
        <>
          <Button variant="solid" onClick={onClose} ref={stay}>
            Stay on this page
          </Button>
          <Button variant="line" onClick={onLeave}>
            Leave this page
          </Button>
        </>
      }
    />
  )
}
