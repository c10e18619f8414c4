/** What is left of a booking when the documents, or all that is personal, are destroyed. */
import type { BookingRecord } from './domain/booking.ts'

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
/** Without what is personal. What remains are amounts, references and flights. */
export const forgotten = ({ _id, people, failure }: BookingRecord) => ({
  ...withoutDocuments(_id),
  userId: null,
  visitorId: null,
  contact: NO_CONTACT,
  emails: [],
  people: (people ?? []).map((person) => ({ ...person, ...NO_CONTACT, title: '', gender: '' as never })),
  // A supplier's words may quote a name.
  failure: failure && { code: failure.code },
})
