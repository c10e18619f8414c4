import type { SessionInfo } from '@passerelle/contracts/http/account'
import type { Done } from '@passerelle/contracts/http/common'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, LogOut, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { api, messageOf } from '../../../lib/api-client.ts'
import { forgetUserOn401 } from '../../../lib/session.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, LinkButton } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../Account.module.css'
import { Box } from '../Box.tsx'
import { dateOf, lastUse } from '../model/moments.ts'
import { sessionsQuery } from '../sessions-query.ts'

/** Where the account is signed in; every other session can be ended. */
export function Sessions() {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const sessions = useQuery({ ...sessionsQuery, refetchOnMount: 'always' })
  const ending = useMutation({
    mutationFn: (id: string | null): Promise<Done> => (id ? api.endSession({ params: { id } }) : api.endOtherSessions()),
    onSuccess: ({ message }) => toast({ title: message, tone: 'positive' }),
    onError: (error) => {
      if (!forgetUserOn401(queryClient, error)) toast({ title: messageOf(error, 'The session could not be ended.'), tone: 'negative' })
    },
    onSettled: async () => {
      await queryClient.invalidateQueries(sessionsQuery)
      // The button that was pressed may be gone.
      heading.current?.focus()
    },
  })

  useEffect(() => {
    if (sessions.error) forgetUserOn401(queryClient, sessions.error)
  }, [sessions.error, queryClient])

  return (
    <Box title="Where you are signed in" headingRef={heading}>
      <p className={`${styles.words} ${styles.small}`}>
        A session ends by itself after 7 days without use. End any that you do not know, then change your password.
      </p>
      {sessions.data ? (
        <SessionList sessions={sessions.data} ending={ending.isPending ? ending.variables : undefined} onEnd={ending.mutate} />
      ) : sessions.isError ? (
        <div className={styles.after}>
          <Alert tone="negative" title="Your sessions could not be loaded.">
            <LinkButton onClick={() => void sessions.refetch()}>Try again</LinkButton>
          </Alert>
        </div>
      ) : (
        <div className={styles.after} role="status" aria-label="Loading your sessions">
          <Skeleton width="100%" height={48} />
        </div>
      )}
    </Box>
  )
}

type ListProps = {
  sessions: readonly SessionInfo[]
  /** The one that is being ended, null: all others, undefined: none. */
  ending: string | null | undefined
  onEnd: (id: string | null) => void
}

function SessionList({ sessions, ending, onEnd }: ListProps) {
  const now = new Date(useNow(60_000))
  const others = sessions.filter(({ current }) => !current)
  const busy = ending !== undefined
  return (
    <>
      <ul className={`${styles.rows} ${styles.sessions}`}>
        {sessions.map((session) => {
          const device = session.device ?? 'Unknown device'
          const Icon = /iPhone|Android/.test(device) ? Smartphone : Monitor
          return (
            <li key={session.id}>
              <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
              <div>
                <p className={styles.device}>
                  {device}
                  {session.current && (
                    <Badge tone="positive" icon={Check}>
                      This device
                    </Badge>
                  )}
                </p>
                <p className={styles.small}>
                  Signed in {dateOf(session.createdAt)}, {lastUse(session, now)}
                </p>
              </div>
              {!session.current && (
                <Button
                  variant="line"
                  busy={ending === session.id}
                  disabled={busy && ending !== session.id}
                  onClick={() => onEnd(session.id)}
                >
                  End<span className="visually-hidden"> the session of {device}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {others.length > 0 && (
        <div className={styles.rule}>
          <Button
            variant="quiet"
            className={styles.others}
            busy={ending === null}
            disabled={busy && ending !== null}
            onClick={() => onEnd(null)}
          >
            <LogOut size={16} strokeWidth={2} aria-hidden="true" />
            End all other sessions
          </Button>
        </div>
      )}
    </>
  )
}
