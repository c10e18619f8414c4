/** What is left of a booking when the documents, or all that is personal, are destroyed. */
import type { Person } from '@passerelle/kit/person-command'
import type { DocumentSafe } from './documents.ts'
import type { BookedPerson, BookingRecord } from './domain/booking.ts'

const NO_CONTACT = { email: '', phone: '', firstName: '', lastName: '' }

/** Without the documents and every hash that was made of them. The attempt's key stays unique. */
export const withoutDocuments = (id: string) => ({
  documents: null,
  documentKey: null,
  requestHash: null,
  passengersKey: null,
  furtherAttempts: [],
  idempotencyKey: `erased:${id}`,
})

const nobody = (person: BookedPerson): BookedPerson => ({ ...person, ...NO_CONTACT, title: '', gender: '' as never, frequentFlyer: null })

/** Without what is personal. What remains are amounts, references and flights. */
export const forgotten = ({ _id, people, failure }: BookingRecord) => ({
  ...withoutDocuments(_id),
  userId: null,
  visitorId: null,
  contact: NO_CONTACT,
  emails: [],
  people: (people ?? []).map(nobody),
  // A supplier's words may quote a name.
  failure: failure && { code: failure.code },
})

/** Their own booking: of their account, or made with their address. */
export const isTheirs = ({ userId, contact }: BookingRecord, person: Person): boolean =>
  (person.userId !== null && userId === person.userId) || contact.email.toLowerCase() === person.email.toLowerCase()

export const isPassenger = (passenger: BookedPerson | undefined, email: string): boolean =>
  passenger?.email.toLowerCase() === email.toLowerCase()

const NO_DOCUMENTS = { dateOfBirth: '', passportNumber: null, passportExpiryDate: null, passportIssuingCountry: null }

/** Without the passenger of this address; everybody else stays. Documents that cannot be opened here go all together. */
export function withoutPassenger(booking: BookingRecord, email: string, safe: DocumentSafe | null): Partial<BookingRecord> {
  const { people, failure, emails = [], contact } = booking
  const leaves = (passenger: BookedPerson | undefined) => isPassenger(passenger, email)
  const sealed = booking.documentKey
    ? safe
      ? safe.seal(safe.open(booking).map((papers, place) => (leaves(people[place]) ? NO_DOCUMENTS : papers)))
      : { documents: null, documentKey: null }
    : {}
  return {
    ...sealed,
    requestHash: null,
    people: people.map((person) => (leaves(person) ? nobody(person) : person)),
    emails: emails.filter((one) => one !== email.toLowerCase() || one === contact.email.toLowerCase()),
    failure: failure && { code: failure.code },
  }
}
