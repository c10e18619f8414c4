import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { TriangleAlert } from 'lucide-react'
import { formatClock, formatDay } from '../model/moment.ts'
import { useNames } from '../model/use-people.ts'
import { Panel } from '../Panel.tsx'
import styles from './History.module.css'
import { historyWords, openSteps } from './words.ts'

/** What happened, as the bridge line standing upright; dashed is what has still to happen. */
export function History({ booking }: { booking: OfficeBooking }) {
  const { history, tries, state } = booking
  const nameOf = useNames(history.map(({ by }) => by))
  const days = history.map(({ at }) => formatDay(at))
  return (
    <Panel title="What happened" aside="Paris time">
      {history.length === 0 && <p className={styles.none}>This booking is older than its history.</p>}
      <ol className={styles.history}>
        {history.map((entry, index) => {
          const last = index === history.length - 1
          const stuck = last && entry.state === 'NEEDS_ATTENTION'
          return (
            <li
              key={`${entry.at} ${entry.state}`}
              data-first={index === 0 || undefined}
              data-wait={(last && state === 'attention') || undefined}
            >
              <span className={styles.time}>
                {formatClock(entry.at)}
                {days[index] !== days[index - 1] && <small>{days[index]}</small>}
              </span>
              <span className={styles.node} data-stuck={stuck || undefined} aria-hidden="true">
                {stuck && <TriangleAlert size={20} strokeWidth={1.75} />}
              </span>
              <div className={styles.text} data-stuck={stuck || undefined}>
                <b>{historyWords(entry.state)}</b>
                {entry.by && <small>By {nameOf(entry.by)}</small>}
                {stuck && tries > 0 && <small>After {tries} tries without a clear answer. The agency is told by mail.</small>}
              </div>
            </li>
          )
        })}
        {openSteps(booking).map((step) => (
          <li key={step} data-open>
            <span className={styles.time} />
            <span className={styles.node} aria-hidden="true" />
            <div className={styles.text}>
              <b>{step}</b>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
