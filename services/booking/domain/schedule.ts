/** Changes of the schedule by the airline: what they make of a booking's flights, and what was changed. */
import type { ScheduleChange as PublicChange } from '@passerelle/contracts/http/booking-data'
import type { Segment, Slice } from '@passerelle/contracts/http/offer'
import type { SagaState } from './state.ts'

type Flight = PublicChange['flights'][number]

/** As the booking keeps it. */
export type ScheduleChange = {
  id: string
  detectedAt: Date
  noticedAt: Date
  /** What was done about it; null: nothing yet. */
  action: Exclude<PublicChange['state'], 'open'> | null
  canAccept: boolean
  canCancel: boolean
  flights: Flight[]
}

/** A booking, as far as it matters here. */
type Changed = { scheduleChanges?: ScheduleChange[] }

/** As the supplier tells it, with flights in our shape. */
export type SupplierChange = Pick<ScheduleChange, 'id' | 'detectedAt' | 'action' | 'canAccept' | 'canCancel'> & {
  removed: SupplierSlice[]
  added: SupplierSlice[]
}
export type SupplierSlice = { segments: SupplierSegment[] }
/** What the supplier says of a flight; what it leaves out stays as it was. */
export type SupplierSegment = Pick<Segment, 'departing_at' | 'arriving_at' | 'origin' | 'destination' | 'flight_number'> &
  Partial<Pick<Segment, 'duration' | 'origin_terminal' | 'destination_terminal' | 'marketing_carrier' | 'operating_carrier'>>

type Rescheduled = { slices: Slice[]; scheduleChanges: ScheduleChange[]; fresh: string | null }

/** The flights with all changes, oldest first, that it does not have yet, and with what was done about them; null: it has them all. */
export function reschedule(
  booking: Changed & { offer: { slices: Slice[] } },
  told: readonly SupplierChange[],
  now: Date,
): Rescheduled | null {
  const known = new Map((booking.scheduleChanges ?? []).map((change) => [change.id, change]))
  let { slices } = booking.offer
  let fresh: string | null = null
  const scheduleChanges = told
    .toSorted((one, other) => one.detectedAt.getTime() - other.detectedAt.getTime())
    .map(({ removed, added, ...change }) => {
      const before = known.get(change.id)
      if (before) return { ...before, ...change, action: change.action ?? before.action }
      const moved = applyTo(slices, removed, added)
      // One that is heard of after a later one has been replaced by it.
      const isReplaced = told.some((other) => known.has(other.id) && other.detectedAt > change.detectedAt)
      if (!isReplaced) slices = moved.slices
      // One that was settled before it was heard of needs nobody's answer.
      if (!isReplaced && change.action === null) fresh = change.id
      return { ...change, noticedAt: now, flights: moved.flights }
    })
  if (JSON.stringify(scheduleChanges) === JSON.stringify(booking.scheduleChanges ?? [])) return null
  return { slices, scheduleChanges, fresh }
}

const codesOf = (segments: readonly Pick<Segment, 'origin' | 'destination'>[]) =>
  `${segments[0]?.origin.iata_code}-${segments.at(-1)?.destination.iata_code}`

function applyTo(slices: readonly Slice[], removed: readonly SupplierSlice[], added: readonly SupplierSlice[]) {
  const flights: Flight[] = []
  const next = slices.map((slice, index) => {
    // An airline may move a flight to another airport: then the place in the list tells.
    const found = removed.findIndex(({ segments }) => codesOf(segments) === codesOf(slice.segments))
    const place = found >= 0 ? found : removed.length === slices.length ? index : -1
    if (place < 0) return slice
    const segments = (added[place]?.segments ?? []).map((segment, at) => merge(segment, slice, at))
    const before = (removed[place]?.segments ?? []).map((segment, at) => merge(segment, slice, at))
    flights.push(...movedFlights(before, segments))
    const [first, last] = [segments[0], segments.at(-1)]
    // Without flights the booking keeps showing those that were booked.
    if (!first || !last) return slice
    return {
      ...slice,
      segments,
      duration: segments.length === 1 ? first.duration : slice.duration,
      departure_time: first.departing_at,
      arrival_time: last.arriving_at,
    }
  })
  return { slices: next, flights }
}

/** What the supplier does not say is as on the flight in its place. */
function merge(told: SupplierSegment, slice: Slice, at: number): Segment {
  const like = (slice.segments[at] ?? slice.segments.at(-1)) as Segment
  const id = slice.segments[at]?.id ?? `${like.id}_${at + 1}`
  const said = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined && value !== null))
  return { ...like, ...said, id }
}

const timesOf = ({ departing_at, arriving_at }: Segment) => ({ departing_at, arriving_at })
const nameOf = ({ marketing_carrier, flight_number }: Segment) => `${marketing_carrier.iata_code ?? ''} ${flight_number}`.trim()

function movedFlights(before: readonly Segment[], after: readonly Segment[]): Flight[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
    const [was, now] = [before[at], after[at]]
    const shown = (now ?? was) as Segment
    const [from, to] = [shown.origin.iata_code, shown.destination.iata_code]
    return { flight: nameOf(shown), from, to, was: was ? timesOf(was) : null, now: now ? timesOf(now) : null }
  }).filter(({ was, now }) => JSON.stringify(was) !== JSON.stringify(now))
}

/** The last change of the schedule while nobody has answered it; null: there is none. */
export function openChange({ scheduleChanges, state }: Changed & { state: SagaState }): ScheduleChange | null {
  const change = scheduleChanges?.at(-1)
  return change && change.action === null && ['CONFIRMED', 'CANCEL_REQUESTED'].includes(state) ? change : null
}

/** The last one, as the public sees it. */
export function publicChange(booking: Changed & { state: SagaState; cancelledAt: Date | null }): PublicChange | null {
  const change = booking.scheduleChanges?.at(-1)
  if (!change) return null
  const open = openChange(booking)?.id === change.id
  const ended = booking.cancelledAt ? 'cancelled' : 'accepted'
  return {
    id: change.id,
    noticedAt: change.noticedAt.toISOString(),
    state: open ? 'open' : (change.action ?? ended),
    canAccept: open && change.canAccept,
    flights: change.flights,
  }
}
