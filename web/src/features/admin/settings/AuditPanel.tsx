import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import admin from '../Admin.module.css'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { useAudit } from '../model/audit-list.ts'
import { auditWords } from '../model/audit-words.ts'
import { formatMoment } from '../model/moment.ts'
import { useNames } from '../model/use-people.ts'
import { Panel } from '../Panel.tsx'

/** What administrators did, and what they were refused. */
export function AuditPanel() {
  const { entries, failed, hasMore, busy, retry, readOn } = useAudit(useUser()?.isAdmin === true)
  const nameOf = useNames((entries ?? []).flatMap((entry) => ('userId' in entry ? [entry.actor, entry.userId] : [entry.actor])))
  return (
    <Panel
      title="Audit"
      aside="Paris time"
      words="Every change of mode, markup, brands, messages, bookings and administrators, also the refused ones. Nobody can edit it."
      foot={
        hasMore && (
          <Button size="sm" busy={busy} onClick={readOn}>
            Show more
          </Button>
        )
      }
    >
      {failed && (
        <div className={admin.part}>
          <LoadFailed words="The audit could not be loaded." retry={retry} />
        </div>
      )}
      {!entries && !failed && (
        <div className={admin.part}>
          <LoadingLines words="Loading the audit" />
        </div>
      )}
      {entries?.length === 0 && (
        <div className={admin.part}>
          <p className="muted">Nothing was changed yet.</p>
        </div>
      )}
      <ol className={admin.entries}>
        {entries?.map((entry) => {
          const { title, detail } = auditWords(entry, nameOf)
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
