import type { BookingCreated } from '@passerelle/contracts/http/booking'
import type { PassengerValues } from './passenger-form.ts'

/** What only this page knows of the booking just made; gone after a reload, as the password must be. */
export type Finished = {
  offerId: string
  bookingId: string
  /** null: the booking was found instead of made. */
  created: BookingCreated | null
  passengers: PassengerValues[]
}
