import { useMutation } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { api, messageOf } from '../../lib/api-client.ts'
import { useUser } from '../../lib/session.ts'
import { Alert } from '../../ui/Alert.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { toast } from '../../ui/toaster/toast-store.ts'

/** For an account whose address was not proved: bookings made with it are not shown before. */
export function ConfirmEmail({ className }: { className: string | undefined }) {
  const user = useUser()
  const sending = useMutation({
    mutationFn: () => api.sendVerifyEmail(),
    onSuccess: () => toast({ title: 'E-mail sent', description: 'The link in it works for 24 hours.', tone: 'positive' }),
    onError: (error) => toast({ title: 'The e-mail was not sent', description: messageOf(error, 'Please try again.'), tone: 'negative' }),
  })
  if (!user || user.emailVerified) return null
  return (
    <div className={className}>
      <Alert tone="info" icon={MailCheck} title="Confirm your e-mail.">
        {sending.isSuccess ? (
          <>We sent a link to {user.email}. Open it to see every booking that was made with this address.</>
        ) : (
          <>
            Bookings that were made with {user.email} appear here once you open the link in our e-mail.{' '}
            <LinkButton onClick={() => sending.mutate()} disabled={sending.isPending}>
              {sending.isPending ? 'Sending' : 'Send the e-mail again'}
            </LinkButton>
          </>
        )}
      </Alert>
    </div>
  )
}
