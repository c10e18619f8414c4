import type { Booking } from '@passerelle/contracts/http/booking'
import { ArrowRight } from 'lucide-react'
import { paths } from '../../lib/paths.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { RetrievedBooking } from './RetrievedBooking.tsx'
import { RetrieveForm } from './RetrieveForm.tsx'
import styles from './SupportPage.module.css'

type Props = { found: Booking | null; onFound: (booking: Booking | null) => void }

/** A guest's way to a booking, and the way of those with an account. */
export function BookingsTab({ found, onFound }: Props) {
  return (
    <div className={styles.bookings} data-found={found !== null || undefined}>
      {found ? (
        <RetrievedBooking booking={found} onAnother={() => onFound(null)} />
      ) : (
        <RetrieveForm words="With the reference and the e-mail you booked with. Travel documents are not shown." large onFound={onFound} />
      )}
      <section className={`card ${styles.box}`}>
        <h2>With an account</h2>
        <p className={styles.small}>All your trips in one place, with their details and cancellation.</p>
        <div className={styles.ways}>
          <ButtonLink variant="line" to={paths.login}>
            Log In
          </ButtonLink>
          <ButtonLink variant="quiet" to={paths.trips}>
            My Trips
            <ArrowRight size={16} strokeWidth={2} aria-hidden="true" />
          </ButtonLink>
        </div>
      </section>
    </div>
  )
}
