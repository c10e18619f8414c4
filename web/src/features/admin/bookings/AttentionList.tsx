import type { OfficePage } from '@passerelle/contracts/http/back-office'
import { ChevronRight, Hourglass } from 'lucide-react'
import { formatDate } from '../../../lib/format/dates.ts'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Panel } from '../Panel.tsx'
import styles from './Bookings.module.css'
import { caseWords, exact, routeWords, travellerWords, waitWords } from './words.ts'

type Props = { page: OfficePage; brandName: (key: string) => string }

/** Bookings that wait for a person, with the reason in words. */
export function AttentionList({ page, brandName }: Props) {
  const now = useNow(60_000)
  const { bookings, counts } = page
  const more = counts.attention - bookings.length
  return (
    <Panel
      className={styles.attention}
      title="Needs attention"
      aside="Longest waiting first"
      foot={more > 0 && `${more} more under “Needs attention” below`}
    >
      <ol className={styles.waiting}>
        {bookings.map((booking) => {
          const { id, reference, attention, charged, departure, brand } = booking
          if (!attention) return null
          const { title, detail } = caseWords(attention.reason, booking)
          return (
            <li key={id}>
              <Link className={styles.rowLink} to={paths.adminBooking(id)}>
                {reference}
              </Link>
              <div className={styles.why}>
                {title}
                <small>{detail}</small>
                <small>
                  {travellerWords(booking)}, {routeWords(booking)}, {formatDate(departure, 'short')} · {brandName(brand)}
                </small>
              </div>
              <span className={styles.amount}>{exact(charged)}</span>
              <span className={styles.age}>
                <Hourglass size={16} strokeWidth={2} aria-hidden="true" />
                <span className="visually-hidden">waiting for </span>
                {waitWords(attention.since, now)}
              </span>
              <ChevronRight className={styles.go} size={20} strokeWidth={1.75} aria-hidden="true" />
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
