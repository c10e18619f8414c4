import type { ReactNode } from 'react'
import { api, messageOf } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
import { useLinkCall } from '../../lib/use-link-call.ts'
import { useLinkToken } from '../../lib/use-link-token.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** The link of every newsletter leads here; opening it is the one click that ends it. */
export function LeaveNewsletterPage() {
  const token = useLinkToken()
  if (!token)
    return <Message title="This link is not complete">Open it again from our e-mail, or copy it whole into the address bar.</Message>
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

  if (!outcome) return <Message title="Ending the newsletter" />
  if (outcome === 'left')
    return (
      <Message
        title="You get no more of these e-mails"
        actions={
          <ButtonLink variant="solid" to={paths.home}>
            Search Flights
          </ButtonLink>
        }
      >
        We have deleted your address from the list. E-mails about your bookings still reach you.
      </Message>
    )
  return (
    <Message
      title="The newsletter could not be ended"
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
