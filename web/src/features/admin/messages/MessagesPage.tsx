import type { AdminMessage, MessageState } from '@passerelle/contracts/http/messages'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { api } from '../../../lib/api-client.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { Link, useSearchParams } from '../../../lib/router.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { AdminLayout } from '../AdminLayout.tsx'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { formatMoment } from '../model/moment.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { useNames } from '../model/use-people.ts'
import { Views } from '../Views.tsx'
import { MessageDetail } from './MessageDetail.tsx'
import styles from './Messages.module.css'
import { topicOf } from './message-words.ts'

const PAGE = 25
const VIEWS: readonly [state: MessageState | null, label: string][] = [
  ['new', 'New'],
  ['answered', 'Answered'],
  [null, 'All'],
]

function readState(text: string | null): MessageState | null {
  return text === 'new' || text === 'answered' ? text : null
}

export function MessagesPage() {
  const [query] = useSearchParams()
  const state = readState(query.get('state'))
  const id = query.get('id')
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [keys.messages, 'list', state],
    queryFn: ({ pageParam, signal }) =>
      api.listMessages({ query: { limit: PAGE, ...(state && { state }), ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  })
  useAdminAccess(error)
  const counts = data?.pages.at(-1)?.counts ?? { new: 0, answered: 0 }
  const countOf = (of: MessageState | null) => (of ? counts[of] : counts.new + counts.answered)
  const messages = data?.pages.flatMap((page) => page.messages) ?? []
  const nameOf = useNames(messages.map(({ answeredBy }) => answeredBy))

  return (
    <AdminLayout title="Messages" words="From the contact page and the help centre">
      <Views
        label="Messages by state"
        views={VIEWS.map(([of, label]) => ({
          to: withQuery(paths.adminMessages, { state: of }),
          label,
          current: state === of,
          count: data && countOf(of),
        }))}
      />
      {error && <LoadFailed words="The messages could not be loaded." retry={() => void refetch()} />}
      {!data && !error && <LoadingLines words="Loading messages" />}
      {data && (
        <div className={styles.inbox} data-open={id !== null || undefined}>
          <section className={`card ${styles.list}`} aria-label="List of messages">
            {messages.length === 0 && <p className={styles.none}>No messages here.</p>}
            <ul>
              {messages.map((message) => (
                <Row
                  key={message.id}
                  message={message}
                  to={withQuery(paths.adminMessages, { state, id: message.id })}
                  current={message.id === id}
                  answeredBy={message.answeredBy && nameOf(message.answeredBy)}
                />
              ))}
            </ul>
            <div className={styles.foot}>
              <span>
                {messages.length} of {countNoun(countOf(state), 'message')}
              </span>
              {hasNextPage && (
                <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Show more
                </Button>
              )}
            </div>
          </section>
          {id === null ? (
            <p className={`card ${styles.nobody}`}>Choose a message to read and answer it.</p>
          ) : (
            <MessageDetail key={id} id={id} back={withQuery(paths.adminMessages, { state })} />
          )}
        </div>
      )}
    </AdminLayout>
  )
}

type RowProps = { message: AdminMessage; to: string; current: boolean; answeredBy: string | null }

function Row({ message, to, current, answeredBy }: RowProps) {
  const { name, receivedAt, message: text, state, brandKey } = message
  return (
    <li data-new={state === 'new' || undefined} data-current={current || undefined}>
      <Link to={to} aria-current={current ? 'true' : undefined} preventScrollReset>
        {name}
      </Link>
      <time dateTime={receivedAt}>{formatMoment(receivedAt)}</time>
      <p className={styles.topic}>{topicOf(message)}</p>
      <p className={styles.clip}>{text}</p>
      <p className={styles.meta}>
        {state === 'new' ? (
          <Badge tone="brand">New</Badge>
        ) : (
          <span className={styles.answered}>
            <Check size={14} strokeWidth={2.2} aria-hidden="true" />
            Answered{answeredBy && ` by ${answeredBy}`}
          </span>
        )}
        {brandKey === DEFAULT_BRAND_KEY ? 'Default brand' : brandKey}
      </p>
    </li>
  )
}
