import type { OfficeRow } from '@passerelle/contracts/http/back-office'
import { formatMoney } from '@passerelle/contracts/rules/money'
import { ArrowRight } from 'lucide-react'
import { formatDate } from '../../../lib/format/dates.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { useNow } from '../../../lib/use-now.ts'
import { formatMoment } from '../model/moment.ts'
import table from '../Table.module.css'
import styles from './Bookings.module.css'
import { StateBadge } from './StateBadge.tsx'
import { exact, travellerWords, waitWords } from './words.ts'

type Props = { caption: string; rows: readonly OfficeRow[]; brandName: (key: string) => string }

const placeWords = ({ city, code }: OfficeRow['from']) => [city, code].filter(Boolean).join(' ') || 'N/A'

/** What stands under the amount: what became of the money where that is not simply paid. */
function moneyNote({ refunded, captured, state }: OfficeRow): string {
  if (refunded) return `${exact(refunded)} refunded`
  if (captured) return ''
  return state === 'pending' ? 'Held, not charged' : 'Not charged'
}

export function BookingTable({ caption, rows, brandName }: Props) {
  const now = useNow(60_000)
  return (
    <table className={`${table.table} ${styles.bookings}`}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {['Reference', 'Traveller', 'Route, departure', 'Brand', 'State'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col" className={styles.right}>
            Amount
          </th>
          <th scope="col" className={styles.right}>
            Booked
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-warn={row.state === 'attention' || undefined}>
            <th scope="row" className={styles.cellReference}>
              <Link className={styles.rowLink} to={paths.adminBooking(row.id)}>
                {row.reference}
              </Link>
            </th>
            <td className={styles.cellWho}>
              {travellerWords(row)}
              <small>{countNoun(row.travellers, 'traveller')}</small>
            </td>
            <td className={styles.cellRoute}>
              <span className={styles.route}>
                {placeWords(row.from)}
                <ArrowRight size={14} strokeWidth={2} aria-hidden="true" />
                <span className="visually-hidden">to</span> {placeWords(row.to)}
              </span>
              <small>{formatDate(row.departure, 'short')}</small>
            </td>
            <td className={styles.cellBrand}>{brandName(row.brand)}</td>
            <td className={styles.cellState}>
              <StateBadge state={row.state} />
            </td>
            <td className={`${styles.right} ${styles.cellAmount}`}>
              <b>{formatMoney(row.charged.amount, row.charged.currency)}</b>
              <small>{moneyNote(row)}</small>
            </td>
            <td className={`${styles.right} ${styles.cellAge}`}>
              {waitWords(row.createdAt, now)}
              <small>{formatMoment(row.createdAt)}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
