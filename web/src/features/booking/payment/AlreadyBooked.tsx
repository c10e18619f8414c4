import { paths, withQuery } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { Alert } from '../../../ui/Alert.tsx'

/** The first booking belongs to another visitor or account of the same people: whoever may see it finds it behind the link. */
export function AlreadyBooked({ bookingId }: { bookingId: string }) {
  return (
    <Alert tone="warning" role="alert" title="These passengers are already booked on this flight.">
      Nothing was charged and no second ticket was made.{' '}
      <Link to={withQuery(paths.trips, { booking: bookingId })}>See the first booking in My Trips</Link>, or look for its confirmation in
      your e-mail.
    </Alert>
  )
}
