import type { Booking } from '@passerelle/contracts/http/booking'
import { Armchair, Clock, Cloud, IdCard, Ticket } from 'lucide-react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { emissionsText } from '../../../lib/emissions.ts'
import { mail, telephone } from '../../../lib/paths.ts'
import { Note, NoteList } from '../../../ui/NoteList.tsx'
import layout from '../Booking.module.css'
import { beAtAirport, checkIn, listOf, passportsRunningOut } from '../model/boarding-pass.ts'
import type { PassengerValues } from '../model/passenger-form.ts'
import styles from './Confirmation.module.css'

/** What the travellers have to do next. */
export function BeforeYouFly({ booking, passengers }: { booking: Booking; passengers: readonly PassengerValues[] }) {
  const { contact } = useBrand()
  const { bookingData: data } = booking
  const first = data.slices[0]?.segments[0]
  const emissions = emissionsText(data.emissions_kg)
  const runningOut = passportsRunningOut(passengers, data)
  if (!first) return null
  return (
    <section className={`card ${layout.pad} ${styles.panel}`} aria-labelledby="next-heading">
      <h2 id="next-heading">Before you fly</h2>
      <NoteList>
        <Note icon={Ticket}>{checkIn(first, booking.airlineReference)}</Note>
        {runningOut.length > 0 && (
          <Note icon={IdCard}>
            {runningOut.length === 1
              ? `${runningOut[0]}’s passport expires within 6 months of the trip.`
              : `The passports of ${listOf(runningOut)} expire within 6 months of the trip.`}
          </Note>
        )}
        <Note icon={Clock}>{beAtAirport(first)}</Note>
        {emissions && <Note icon={Cloud}>{emissions}</Note>}
        {data.seats.length === 0 && (
          <Note icon={Armchair}>
            No seats were chosen. To choose some, contact support
            {contact.phone ? (
              <>
                {' '}
                on <a href={telephone(contact.phone)}>{contact.phone}</a>.
              </>
            ) : contact.email ? (
              <>
                {' '}
                at <a href={mail(contact.email)}>{contact.email}</a>.
              </>
            ) : (
              '.'
            )}
          </Note>
        )}
      </NoteList>
    </section>
  )
}
