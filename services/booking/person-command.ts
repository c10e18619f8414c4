/** What `make person` does here: the bookings that were made with an address. */
import { type Keeper, personCommand } from '@passerelle/kit/person-command'
import { now } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { type DocumentSafe, documentSafe } from './documents.ts'
import { type BookingRecord, toPublic } from './domain/booking.ts'
import { bookingStore, type Store } from './store.ts'

const CONFIG = z.object({
  /** As for the service; without it birth dates and passports stay sealed. */
  DOCUMENT_KEY: z.string().min(40).optional(),
})

export function bookingKeeper(store: Pick<Store, 'ofPerson' | 'forget'>, safe: DocumentSafe | null): Keeper {
  const documentsOf = (booking: BookingRecord) => {
    if (!booking.documentKey) return 'destroyed'
    return safe ? safe.open(booking) : 'sealed: DOCUMENT_KEY is not set'
  }
  return {
    async read(email) {
      const found = await store.ofPerson(email)
      return {
        bookings: found.map((booking) => ({
          ...toPublic(booking, now()),
          contact: booking.contact,
          passengers: booking.people,
          documents: documentsOf(booking),
        })),
      }
    },

    /** A booking that is still being made needs its passengers. */
    async erase(email) {
      const [erased, left]: [string[], string[]] = [[], []]
      for (const booking of await store.ofPerson(email)) {
        const done = !booking.open && (await store.forget(booking))
        ;(done ? erased : left).push(booking.reference)
      }
      const said = `${erased.length} bookings erased${erased.length > 0 ? ` (${erased.join(', ')})` : ''}`
      return left.length > 0 ? `${said}; still being made, try again in a few minutes: ${left.join(', ')}` : said
    },
  }
}

export const bookingsOfPerson = personCommand('booking', CONFIG, (mongo, { DOCUMENT_KEY }) =>
  bookingKeeper(bookingStore(mongo), DOCUMENT_KEY ? documentSafe(DOCUMENT_KEY) : null),
)
