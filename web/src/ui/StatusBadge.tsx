import type { BookingStatus } from '@passerelle/contracts/http/booking-contact'
import { Check, Hourglass } from 'lucide-react'
import { Badge } from './Badge.tsx'

/** What has become of a booking, in one word. */
export function StatusBadge({ status }: { status: BookingStatus }) {
  switch (status) {
    case 'confirmed':
      return (
        <Badge tone="positive" icon={Check}>
          Confirmed
        </Badge>
      )
    case 'completed':
      return <Badge>Completed</Badge>
    case 'cancelled':
      return <Badge tone="negative">Cancelled</Badge>
    default:
      return (
        <Badge tone="warning" icon={Hourglass}>
          Pending
        </Badge>
      )
  }
}
