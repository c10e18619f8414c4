import { type ReactNode, useEffect, useRef, useState } from 'react'
import { api, messageOf } from '../../lib/api-client.ts'
import { paths } from '../../lib/paths.ts'
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

type Outcome = { kind: 'working' | 'left' } | { kind: 'failed'; message: string }

function Leave({ token }: { token: string }) {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'working' })
  const sent = useRef(false)

  async function send(): Promise<void> {
    setOutcome({ kind: 'working' })
    try {
      await api.leaveNewsletter({ body: { token } })
      setOutcome({ kind: 'left' })
    } catch (error) {
      setOutcome({ kind: 'failed', message: messageOf(error, 'Please try again.') })
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: sent once for each link
  useEffect(() => {
    if (sent.current) return
    sent.current = true
    void send()
  }, [])

  switch (outcome.kind) {
    case 'working':
      return <Message title="Ending the newsletter" />
    case 'left':
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
    case 'failed':
      return (
        <Message
          title="The newsletter could not be ended"
          actions={
            <Button variant="solid" onClick={() => void send()}>
              Try Again
            </Button>
          }
        >
          {outcome.message}
        </Message>
      )
  }
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
