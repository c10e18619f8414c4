import type { OfficeBooking } from '@passerelle/contracts/http/back-office'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, Copy, ShieldCheck } from 'lucide-react'
import { formatDate } from '../../../lib/format/dates.ts'
import { mail, paths, telephone } from '../../../lib/paths.ts'
import { Link, useParams } from '../../../lib/router.ts'
import { sliceName } from '../../../lib/segment.ts'
import { readTrip, seatsOn, slicesOf, wayOf } from '../../../lib/trip.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { SeatTable } from '../../../ui/flight/SeatTable.tsx'
import { Timeline } from '../../../ui/flight/Timeline.tsx'
import admin from '../Admin.module.css'
import { AdminLayout } from '../AdminLayout.tsx'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { useBrands } from '../model/use-brands.ts'
import { Panel } from '../Panel.tsx'
import { BookingAudit } from './BookingAudit.tsx'
import styles from './Bookings.module.css'
import { Case } from './Case.tsx'
import { Fact, Facts } from './Facts.tsx'
import { History } from './History.tsx'
import { Mails } from './Mails.tsx'
import { MoneyPanel } from './MoneyPanel.tsx'
import { officeBookingQuery } from './queries.ts'
import { StateBadge } from './StateBadge.tsx'
import { routeWords, travellerWords } from './words.ts'

/** One booking with all that is known of it, and what can be done when it needs somebody. */
export function OfficeBookingPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(officeBookingQuery(id))
  useAdminAccess(error)
  return (
    <AdminLayout
      title={
        data ? (
          <>
            {data.reference} <StateBadge state={data.state} />
          </>
        ) : (
          'Booking'
        )
      }
      crumb={
        <>
          <Link to={paths.adminBookings}>Bookings</Link>
          <ChevronRight size={16} strokeWidth={2} aria-hidden="true" />
          {data ? `${travellerWords(data)}, ${routeWords(data)}` : id}
        </>
      }
      actions={
        data && (
          <Button size="sm" variant="quiet" onClick={() => void copyText(data.reference)}>
            <Copy size={16} strokeWidth={2} aria-hidden="true" />
            Copy reference
          </Button>
        )
      }
    >
      {error && !data && <LoadFailed words="This booking could not be loaded." retry={() => void refetch()} />}
      {!data && !error && <LoadingLines words="Loading the booking" />}
      {data && <Details booking={data} />}
    </AdminLayout>
  )
}

export function Details({ booking }: { booking: OfficeBooking }) {
  return (
    <>
      {booking.attention && <Case booking={booking} />}
      <div className={admin.two}>
        <div>
          <History booking={booking} />
          <Flights booking={booking} />
        </div>
        <div>
          <MoneyPanel booking={booking} />
          <About booking={booking} />
        </div>
      </div>
      <div className={admin.even}>
        <Mails booking={booking} />
        <BookingAudit booking={booking} />
      </div>
    </>
  )
}

function Flights({ booking }: { booking: OfficeBooking }) {
  const trip = readTrip(booking.booking)
  const slices = slicesOf(trip)
  const { passengers = [], seats = [] } = trip.data
  return (
    <>
      <Panel title="Flights" aside="Local times">
        {slices.map((slice, index) => (
          <div key={slice.id} className={admin.part}>
            <h3 className={styles.way}>
              {sliceName(index)}, {formatDate(slice.departure_time, 'weekday')} <small>{wayOf(slice)}</small>
            </h3>
            <Timeline slice={slice} label={`${sliceName(index)} flights`} seatsOn={(segmentId) => seatsOn(segmentId, trip.data)} />
          </div>
        ))}
      </Panel>
      <Panel
        title="Passengers"
        aside={passengers.length}
        foot={
          <>
            <ShieldCheck size={16} strokeWidth={2} aria-hidden="true" />
            Birth dates and passports are never shown here.
          </>
        }
      >
        <div className={styles.people}>
          <SeatTable data={{ slices, passengers, seats }} />
        </div>
      </Panel>
    </>
  )
}

/** Each with whose it is; a ticket may have several coupons and one passenger. */
function Tickets({ booking: { tickets, booking } }: { booking: OfficeBooking }) {
  if (tickets.length === 0) return 'None that the order named'
  const nameOf = (id: string) => {
    const person = booking.bookingData.passengers.find((one) => one.id === id)
    return person ? `${person.given_name} ${person.family_name}`.trim() : ''
  }
  return tickets.map(({ number, passengerIds }) => (
    <span key={number} className={styles.ticket}>
      <span className={styles.code}>{number}</span> {passengerIds.map(nameOf).filter(Boolean).join(', ')}
    </span>
  ))
}

function About({ booking }: { booking: OfficeBooking }) {
  const { nameOf } = useBrands()
  const { contact, userId, orderId, mode, booking: seen } = booking
  return (
    <Panel title="Booking">
      <Facts>
        <Fact name="Brand">{nameOf(booking.brand)}</Fact>
        <Fact name="Contact" wide>
          {contact ? (
            <>
              {contact.name}
              <br />
              <a href={mail(contact.email)}>{contact.email}</a>
              <br />
              <a href={telephone(contact.phone)}>{contact.phone}</a>
            </>
          ) : (
            'Erased'
          )}
        </Fact>
        <Fact name="Account">{userId ? <span className={styles.code}>{userId}</span> : 'Booked as a guest'}</Fact>
        <Fact name="Airline reference">{seen.airlineReference ?? 'None'}</Fact>
        <Fact name="Supplier’s order" wide>
          <span className={styles.code}>{orderId ?? 'None'}</span>
        </Fact>
        <Fact name="Ticket numbers" wide>
          <Tickets booking={booking} />
        </Fact>
        <Fact name="Mode">{mode === 'live' ? 'Live' : 'Test'}</Fact>
        <Fact name="Terms">
          {seen.bookingData.conditions.cancellation_options.length > 0 ? 'Refundable before departure' : 'Not refundable'}
        </Fact>
      </Facts>
    </Panel>
  )
}
