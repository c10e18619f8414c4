import type { ReactNode } from 'react'
import { ApiError, api, messageOf } from '../../../lib/api-client.ts'
import { useLinkCall } from '../../../lib/use-link-call.ts'
import { useLinkToken } from '../../../lib/use-link-token.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'

/** The link that proves a sender address leads here; whoever opens it need not be signed in. */
export function ConfirmSenderPage() {
  const token = useLinkToken()
  if (!token)
    return <Message title="This link is not complete">Open it again from our e-mail, or copy it whole into the address bar.</Message>
  return <Confirm token={token} key={token} />
}

function Confirm({ token }: { token: string }) {
  const { outcome, send } = useLinkCall(async () => {
    try {
      return { done: (await api.proveSender({ body: { token } })).message }
    } catch (error) {
      const spent = error instanceof ApiError && ['LINK_INVALID', 'VALIDATION_ERROR'].includes(error.code ?? '')
      return spent ? 'spent' : { failed: messageOf(error, 'Please try again.') }
    }
  })

  if (!outcome) return <Message title="Confirming the sender address" />
  if (outcome === 'spent')
    return (
      <Message title="This link has expired or was used already">
        A link works once and for 24 hours. The brand’s administrators can send another one.
      </Message>
    )
  if ('done' in outcome) return <Message title="The sender address is confirmed">{outcome.done}</Message>
  return (
    <Message
      title="The address could not be confirmed"
      actions={
        <Button variant="solid" onClick={send}>
          Try Again
        </Button>
      }
    >
      {outcome.failed}
    </Message>
  )
}

function Message({ title, actions, children }: { title: string; actions?: ReactNode; children?: ReactNode }) {
  return (
    <div className="wrap">
      <EmptyState level={1} role="status" title={title} actions={actions}>
        {children}
      </EmptyState>
    </div>
  )
}
