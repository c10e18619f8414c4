import { api, messageOf } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { useLinkCall } from '../../lib/use-link-call.ts'
import { useLinkToken } from '../../lib/use-link-token.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { FailedLink, IncompleteLink, LinkMessage } from '../../ui/LinkMessage.tsx'

/** The link of every newsletter leads here; opening it is the one click that ends it. */
export function LeaveNewsletterPage() {
  const token = useLinkToken()
  if (!token) return <IncompleteLink />
  return <Leave token={token} key={token} />
}

function Leave({ token }: { token: string }) {
  const { outcome, send } = useLinkCall(async () => {
    try {
      await api.leaveNewsletter({ body: { token } })
      return 'left'
    } catch (error) {
      return { failed: messageOf(error, 'Please try again.') }
    }
  })

  if (!outcome) return <LinkMessage title="Ending the newsletter" />
  if (outcome === 'left')
    return (
      <LinkMessage
        title="You get no more of these e-mails"
        actions={
          <ButtonLink variant="solid" to={paths.home}>
            Search Flights
          </ButtonLink>
        }
      >
        We have deleted your address from the list. E-mails about your bookings still reach you.
      </LinkMessage>
    )
  return (
    <FailedLink title="The newsletter could not be ended" onRetry={send}>
      {outcome.failed}
    </FailedLink>
  )
}
