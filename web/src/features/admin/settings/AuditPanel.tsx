import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import { Button } from '../../../ui/Button.tsx'
import admin from '../Admin.module.css'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { auditWords } from '../model/audit-words.ts'
import { keys } from '../model/keys.ts'
import { formatMoment } from '../model/moment.ts'
import { useNames } from '../model/use-people.ts'
import { Panel } from '../Panel.tsx'

const PAGE = 10

/** What administrators did, and what they were refused. */
export function AuditPanel() {
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [keys.audit],
    queryFn: ({ pageParam, signal }) => api.listAudit({ query: { limit: PAGE, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  const entries = data?.pages.flatMap((page) => page.entries) ?? []
  const nameOf = useNames(entries.map(({ actor }) => actor))
  return (
    <Panel
      title="Audit"
      aside="Paris time"
      words="Every change of mode, markup, brands and messages, also the refused ones. Nobody can edit it."
      foot={
        hasNextPage && (
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        )
      }
    >
      {isError && (
        <div className={admin.part}>
          <LoadFailed words="The audit could not be loaded." retry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && (
        <div className={admin.part}>
          <LoadingLines words="Loading the audit" />
        </div>
      )}
      {data && entries.length === 0 && (
        <div className={admin.part}>
          <p className="muted">Nothing was changed yet.</p>
        </div>
      )}
      <ol className={admin.entries}>
        {entries.map((entry) => {
          const { title, detail } = auditWords(entry)
          return (
            <li key={entry.id}>
              <h3>{title}</h3>
              {detail && <p>{detail}</p>}
              <p className={admin.who}>
                <span>{nameOf(entry.actor)}</span>
                <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
              </p>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
