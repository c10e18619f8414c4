import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { ApiError } from '../../../lib/api-client.ts'
import { forgetAttempt, isFinal, noteBooking, type OpenAttempt } from '../../../lib/open-attempts.ts'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { refreshUser } from '../../../lib/session.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { ATTEMPT_UNKNOWN, attemptWords } from '../model/attempt-words.ts'
import { confirmationOf } from '../model/steps.ts'
import styles from './AttemptNotices.module.css'
import { attemptQuery, shownElsewhereQuery } from './attempt-query.ts'

export function AttemptNotices({ attempts }: { attempts: readonly OpenAttempt[] }) {
  return (
    <div className={`wrap ${styles.notices}`}>
      {attempts.map((attempt) => (
        <AttemptNotice key={attempt.key} attempt={attempt} />
      ))}
    </div>
  )
}

function AttemptNotice({ attempt }: { attempt: OpenAttempt }) {
  const { key } = attempt
  const queryClient = useQueryClient()
  const elsewhere = useQuery(shownElsewhereQuery(key))
  const { data, error, errorUpdatedAt } = useQuery({ ...attemptQuery(key), enabled: elsewhere.data === false })
  const signedOut = error instanceof ApiError && error.status === 401 && isFinal(key, errorUpdatedAt)
  const words = signedOut ? ATTEMPT_UNKNOWN : attemptWords(data?.answer ?? null, isFinal(key, data?.askedAt ?? 0))
  const { bookingId, settled } = words

  useEffect(() => {
    if (bookingId) noteBooking(key, bookingId)
  }, [key, bookingId])

  // A booking may have made an account, and is in the list of trips now.
  useEffect(() => {
    if (!bookingId || !settled) return
    void refreshUser(queryClient)
    void queryClient.invalidateQueries({ queryKey: ['/api/bookings'] })
  }, [bookingId, settled, queryClient])

  if (elsewhere.data !== false) return null
  return (
    <div className={styles.notice}>
      <Alert tone={words.tone} role="status" title={words.title}>
        {words.text}{' '}
        {bookingId && (
          <Link to={paths.booking} state={confirmationOf(bookingId)}>
            See your booking
          </Link>
        )}
      </Alert>
      {settled && (
        <IconButton className={styles.dismiss} aria-label="Dismiss" onClick={() => forgetAttempt(key)}>
          <X size={20} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
