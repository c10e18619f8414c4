import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { auditWords } from '../model/audit-words.ts'
import { formatMoment } from '../model/moment.ts'
import { useNames } from '../model/use-people.ts'
import { Panel } from '../Panel.tsx'
import table from '../Table.module.css'
import styles from './Bookings.module.css'

/** What people did with this booking, and what they were refused. */
export function BookingAudit({ booking: { audit } }: { booking: OfficeBooking }) {
  const nameOf = useNames(audit.map(({ actor }) => actor))
  return (
    <Panel title="Audit" words="What people did with this booking. Nobody can edit it.">
      {audit.length === 0 ? (
        <p className={styles.none}>Nobody has done anything yet.</p>
      ) : (
        <table className={table.table}>
          <caption className="visually-hidden">Who did what and when</caption>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {audit.map((entry) => {
              const { title, detail } = auditWords(entry, nameOf)
              return (
                <tr key={entry.id}>
                  <th scope="row">
                    <b>{nameOf(entry.actor)}</b>
                  </th>
                  <td data-label="What">
                    <span>
                      {title}
                      {detail && <small>{detail}</small>}
                      {entry.note && <small>“{entry.note}”</small>}
                    </span>
                  </td>
                  <td data-label="When">{formatMoment(entry.at)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
