import type { User } from '@passerelle/contracts/http/identity'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Hourglass } from 'lucide-react'
import { api, messageOf } from '../../../lib/api-client.ts'
import { forgetUserOn401 } from '../../../lib/session.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Account.module.css'

/** The address and whether it was proved by the link of a mail. */
export function EmailRow({ user }: { user: User }) {
  const queryClient = useQueryClient()
  const sending = useMutation({
    mutationFn: () => api.sendVerifyEmail(),
    onSuccess: ({ message }) => toast({ title: message, tone: 'positive' }),
    onError: (error) => {
      if (!forgetUserOn401(queryClient, error)) toast({ title: messageOf(error, 'The e-mail was not sent.'), tone: 'negative' })
    },
  })
  return (
    <div>
      <dt>
        E-mail{' '}
        {user.emailVerified ? (
          <Badge tone="positive" icon={Check}>
            Confirmed
          </Badge>
        ) : (
          <Badge tone="warning" icon={Hourglass}>
            Not confirmed
          </Badge>
        )}
      </dt>
      <dd>{user.email}</dd>
      {!user.emailVerified && (
        <>
          <dd className={styles.small}>
            {sending.isSuccess
              ? 'We have sent another link. It works once and for 24 hours.'
              : 'We sent a link to this address. Follow it to confirm that the address is yours: trips that are booked with it then appear in My Trips.'}
          </dd>
          <dd>
            <Button variant="line" busy={sending.isPending} onClick={() => sending.mutate()}>
              Send the link again
            </Button>
          </dd>
        </>
      )}
    </div>
  )
}
