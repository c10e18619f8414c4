import { formatExactMoney } from '@passerelle/contracts/rules/money'
import { Check, Undo2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { BrandMark } from '../../brand/BrandMark.tsx'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { flightNumber, placeLabel } from '../../lib/flight.ts'
import { formatDate, formatTime, today } from '../../lib/format/dates.ts'
import { seatTable } from '../../lib/seat-table.ts'
import { airlineName, cabinNames } from '../../lib/segment.ts'
import { cancelledText, cardOf, readTrip } from '../../lib/trip.ts'
import { Badge } from '../../ui/Badge.tsx'
import styles from './Receipt.module.css'
import { lineName, type ReceiptPage, refundOf, stateOf } from './receipt-text.ts'

type Props = { receipt: ReceiptPage }

export function ReceiptSheet({ receipt }: Props) {
  const { booking, seller } = receipt
  const heading = useId()
  const segments = booking.bookingData.slices.flatMap((slice) => slice.segments)
  const passengers = seatTable(booking.bookingData).rows.filter(({ name }) => name.trim() !== '')
  const state = stateOf(booking)
  return (
    <article className={styles.paper} aria-labelledby={heading}>
      <Seller seller={seller}>
        <Badge tone={state === 'Paid' ? 'positive' : 'neutral'} icon={state === 'Paid' ? Check : Undo2}>
          {state}
        </Badge>
      </Seller>
      <div>
        <h1 id={heading}>Receipt</h1>
        <Facts receipt={receipt} />
      </div>
      <Part title={['Flights', ...cabinNames(segments)].join(', ')}>
        <table className={`${styles.table} ${styles.stacked}`}>
          <thead>
            <tr>
              <th scope="col">Flight</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {segments.map((segment) => (
              <tr key={segment.id}>
                <th scope="row">
                  {flightNumber(segment)}
                  <small>{airlineName(segment)}</small>
                </th>
                <End at={segment.departing_at} place={placeLabel(segment.origin)} />
                <End at={segment.arriving_at} place={placeLabel(segment.destination)} />
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      {passengers.length > 0 && (
        <Part title="Passengers">
          <p>{passengers.map(({ name, note }) => (note ? `${name} (${note})` : name)).join(', ')}</p>
        </Part>
      )}
      <Amounts receipt={receipt} />
      <p className={styles.foot}>
        {seller.name} acts as intermediary between you and the airlines. This receipt is not a ticket and not a boarding pass.
        {seller.email && ` Questions: ${seller.email}.`}
      </p>
    </article>
  )
}

/** With the logo where the page is of the brand that sold the booking; an administrator may look at another's. */
function Seller({ seller, children }: { seller: ReceiptPage['seller']; children: ReactNode }) {
  const { name } = useBrand()
  const reach = [seller.email, seller.phone].filter(Boolean).join(', ')
  return (
    <div className={styles.seller}>
      <div>
        {seller.name === name ? <BrandMark /> : <strong>{seller.name}</strong>}
        <address>
          {seller.address}
          {seller.address && reach && <br />}
          {reach}
        </address>
      </div>
      {children}
    </div>
  )
}

function Facts({ receipt: { number, paidAt, paidBy, booking } }: Props) {
  const facts = [
    ['Receipt number', number],
    ['Date of payment', formatDate(today(new Date(paidAt)), 'full')],
    ['Booking reference', booking.bookingReference],
    ['Airline reference', booking.airlineReference],
    ['Paid by', paidBy],
  ] as const
  return (
    <dl className={`${styles.facts} numerals`}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  )
}

function End({ at, place }: { at: string; place: string }) {
  return (
    <td className="numerals">
      {formatDate(at, 'weekday')}, {formatTime(at)}
      <small>{place}</small>
    </td>
  )
}

function Amounts({ receipt: { booking, lines, number } }: Props) {
  const trip = readTrip(booking)
  const { currency } = booking.charged
  const exact = (amount: string) => formatExactMoney(amount, currency)
  const refund = refundOf(booking)
  const card = cardOf(trip)
  return (
    <Part title={`Amount, ${currency}`}>
      <table className={`${styles.table} ${styles.amounts} numerals`}>
        <caption className="visually-hidden">What was paid</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ item, amount }) => (
            <tr key={item}>
              <th scope="row">{lineName(item, booking)}</th>
              <td>{exact(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className={styles.total}>
            <th scope="row">Total paid</th>
            <td>{exact(booking.charged.amount)}</td>
          </tr>
          {refund && (
            <>
              <tr>
                <th scope="row">
                  {refund.refundedAt
                    ? `Refunded to ${card} on ${formatDate(today(new Date(refund.refundedAt)), 'full')}`
                    : `On its way back to ${card}`}
                </th>
                <td>−{exact(refund.amount)}</td>
              </tr>
              <tr className={styles.total}>
                <th scope="row">Paid after the refund</th>
                <td>{exact(refund.left)}</td>
              </tr>
            </>
          )}
        </tfoot>
      </table>
      <p className={styles.small}>
        Paid with {card}. Our service fee is included in the amounts above and is not refundable.
        {trip.status === 'cancelled' && !refund && ` ${cancelledText(trip)}`}
        {number.startsWith('TEST-') && ' This booking was made in test mode: nobody was charged.'}
      </p>
    </Part>
  )
}
