import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { formatMoment } from '../model/moment.ts'
import { Panel } from '../Panel.tsx'
import table from '../Table.module.css'
import styles from './Bookings.module.css'
import { MAIL_STATES, MAILS } from './words.ts'

/** What was written to the traveller and to the agency about this booking. */
export function Mails({ booking: { mails, contact } }: { booking: OfficeBooking }) {
  return (
    <Panel title="Mails" aside={contact && `To ${contact.email}`}>
      {mails.length === 0 ? (
        <p className={styles.none}>No mail yet.</p>
      ) : (
        <table className={table.table}>
          <caption className="visually-hidden">Mails about this booking</caption>
          <thead>
            <tr>
              <th scope="col">Subject</th>
              <th scope="col">When</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {mails.map(({ template, state, at }) => (
              <tr key={`${template} ${at}`}>
                <th scope="row">{MAILS[template] ?? template}</th>
                <td data-label="When">{formatMoment(at)}</td>
                <td data-label="State">
                  <span className={styles.mail} data-state={state}>
                    {MAIL_STATES[state]}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
