import { ApiError, api, messageOf } from '../../../lib/api-client.ts'
import { useLinkCall } from '../../../lib/use-link-call.ts'
import { useLinkToken } from '../../../lib/use-link-token.ts'
import { FailedLink, IncompleteLink, LinkMessage } from '../../../ui/LinkMessage.tsx'

/** The link that proves a sender address leads here; whoever opens it need not be signed in. */
export function ConfirmSenderPage() {
  const token = useLinkToken()
  if (!token) return <IncompleteLink />
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

  if (!outcome) return <LinkMessage title="Confirming the sender address" />
  if (outcome === 'spent')
    return (
      <LinkMessage title="This link has expired or was used already">
        A link works once and for 24 hours. The brand’s administrators can send another one.
      </LinkMessage>
    )
  if ('done' in outcome) return <LinkMessage title="The sender address is confirmed">{outcome.done}</LinkMessage>
  return (
    <FailedLink title="The address could not be confirmed" onRetry={send}>
      {outcome.failed}
    </FailedLink>
  )
}
