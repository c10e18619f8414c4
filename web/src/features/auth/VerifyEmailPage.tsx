import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError, api, messageOf } from '../../lib/api-client.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { refreshUser, useUser } from '../../lib/session.ts'
import { useLinkCall } from '../../lib/use-link-call.ts'
import { useLinkToken } from '../../lib/use-link-token.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { AuthLayout } from './AuthLayout.tsx'

type Outcome = { kind: 'verified' | 'spent' | 'sign-in' } | { kind: 'failed'; message: string }

/** The link of a mail that proves an address leads here; its token is sent once. */
export function VerifyEmailPage() {
  const token = useLinkToken()
  if (!token)
    return <Message title="This link is not complete">Open it again from our e-mail, or copy it whole into the address bar.</Message>
  return <Verify token={token} key={token} />
}

function Verify({ token }: { token: string }) {
  const user = useUser()
  const queryClient = useQueryClient()
  const { outcome, send } = useLinkCall(async () => {
    try {
      await api.verifyEmail({ body: { token } })
      await Promise.all([refreshUser(queryClient), queryClient.invalidateQueries({ queryKey: ['/api/bookings'] })])
      return { kind: 'verified' } as const
    } catch (error) {
      return outcomeOf(error)
    }
  })

  if (!outcome) return <Message title="Confirming your e-mail address" />
  switch (outcome.kind) {
    case 'verified':
      return (
        <Message
          title="Your e-mail address is confirmed"
          actions={
            <ButtonLink variant="solid" to={user ? paths.trips : withQuery(paths.login, { redirect: paths.trips })}>
              {user ? 'View My Trips' : 'Log In'}
            </ButtonLink>
          }
        >
          Bookings that were made with it are now in your account.
        </Message>
      )
    case 'sign-in':
      return (
        <Message
          title="Please log in first"
          actions={
            <ButtonLink variant="solid" to={withQuery(paths.login, { redirect: paths.trips })}>
              Log In
            </ButtonLink>
          }
        >
          A booking waits for this account, so only its owner can confirm the address. Log in, then open the link of our e-mail again: it
          still works.
        </Message>
      )
    case 'spent':
      return (
        <Message
          title="This link has expired or was used already"
          actions={
            <ButtonLink variant="solid" to={user ? paths.trips : withQuery(paths.login, { redirect: paths.trips })}>
              {user ? 'View My Trips' : 'Log In'}
            </ButtonLink>
          }
        >
          {user?.emailVerified
            ? 'Your address is confirmed: there is nothing left to do.'
            : 'A link works once and for 24 hours. My Trips sends you a new one.'}
        </Message>
      )
    case 'failed':
      return (
        <Message
          title="Your address could not be confirmed"
          actions={
            <Button variant="solid" onClick={send}>
              Try Again
            </Button>
          }
        >
          {outcome.message}
        </Message>
      )
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ApiError && error.code === 'LINK_INVALID') return { kind: 'spent' }
  if (error instanceof ApiError && error.code === 'NOT_AUTHENTICATED') return { kind: 'sign-in' }
  // A token that is cut short is refused by its shape.
  if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') return { kind: 'spent' }
  return { kind: 'failed', message: messageOf(error, 'Please try again.') }
}

function Message({ title, actions, children }: { title: string; actions?: ReactNode; children?: ReactNode }) {
  return (
    <div role="status">
      <AuthLayout
        title={title}
        intro={children}
        words="One account for every trip: see your bookings, cancel one and find its reference again."
      >
        {actions}
      </AuthLayout>
    </div>
  )
}
