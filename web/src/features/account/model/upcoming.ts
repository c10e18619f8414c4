/** How many trips are still to come, and where the next one leaves from. */
import type { Booking } from '@passerelle/contracts/http/booking'
import { formatDate } from '../../../lib/format/dates.ts'

export type Upcoming = { count: number; next: { from: string; on: string } | null }

type Trip = Pick<Booking, 'status'> & { bookingData: unknown }
type Start = { departure_time: string; origin?: { city_name?: string | null; iata_code?: string | null } }

export function upcomingOf(trips: readonly Trip[]): Upcoming {
  const coming = trips.filter(({ status }) => status === 'confirmed' || status === 'pending')
  const [first] = coming.flatMap(startOf).sort((a, b) => a.departure_time.localeCompare(b.departure_time))
  const from = first?.origin?.city_name || first?.origin?.iata_code
  return { count: coming.length, next: first && from ? { from, on: formatDate(first.departure_time, 'weekday') } : null }
}

/** A booking whose data cannot be read counts all the same. */
function startOf({ bookingData }: Trip): Start[] {
  const slices = (bookingData as { slices?: Partial<Start>[] } | null)?.slices
  const [slice] = Array.isArray(slices) ? slices : []
  return typeof slice?.departure_time === 'string' ? [slice as Start] : []
}
