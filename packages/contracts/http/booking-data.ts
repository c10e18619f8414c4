/** What was booked: flights, passengers, seats and the conditions of the fare. */
import { z } from 'zod'
import { Amount, CurrencyCode, Money, PassengerType } from './common.ts'
import { Slice } from './offer.ts'

const BookedPassenger = z.object({
  id: z.string(),
  given_name: z.string(),
  family_name: z.string(),
  type: PassengerType,
  /** How the name stands on the ticket where that is not as it was typed: in Latin letters, and cut to what airlines take. */
  ticketName: z.object({ given_name: z.string(), family_name: z.string() }).nullable(),
  /** The airline of the frequent flyer number that was given, and the number's last three characters. */
  frequentFlyer: z.object({ airline: z.string(), ending: z.string() }).optional(),
})

const CancellationOption = z.object({
  type: z.literal('refund'),
  penalty_amount: Amount.nullable(),
  penalty_currency: CurrencyCode.nullable(),
})

const FlightTimes = z.object({ departing_at: z.string(), arriving_at: z.string() })

/** The airline has changed its schedule. The flights of the booking have the new times already. */
export const ScheduleChange = z.object({
  id: z.string(),
  noticedAt: z.string(),
  /** open: the traveller may accept it, or cancel for what the airline gives back. changed: it was settled with the airline. */
  state: z.enum(['open', 'accepted', 'cancelled', 'changed']),
  /** Otherwise it is settled with the agency. */
  canAccept: z.boolean(),
  /** Those that moved, with airport-local times; `now` null: it does not fly. */
  flights: z.array(
    z.object({
      flight: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      was: FlightTimes.nullable(),
      now: FlightTimes.nullable(),
    }),
  ),
})
export type ScheduleChange = z.infer<typeof ScheduleChange>

export const BookingData = z.object({
  slices: z.array(Slice),
  /** As the offer had it; see there. */
  emissions_kg: z.int().positive().optional(),
  passengers: z.array(BookedPassenger),
  conditions: z.object({
    /** A non-empty list means that the booking can be cancelled. */
    cancellation_options: z.array(CancellationOption),
    /** The fare allows another date, for the airline's fee and the difference. */
    changeable: z.boolean(),
  }),
  /** The supplier's amount; what the customer paid is `charged`. */
  total_amount: Amount,
  total_currency: CurrencyCode,
  seats: z.array(z.object({ passengerId: z.string(), segmentId: z.string(), seatId: z.string(), price: Money.nullable() })),
})
export type BookingData = z.infer<typeof BookingData>
