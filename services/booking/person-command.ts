/** What `make export-person` and `make erase-person` do here: the bookings of an account or address, and those that it travels on. */
import { type Audit, createAudit } from '@passerelle/kit/audit'
import { type MailQueue, mailQueue } from '@passerelle/kit/mail-queue'
import { type Keeper, type Person, personCommand } from '@passerelle/kit/person-command'
import { now } from '@passerelle/kit/runtime'
import { z } from 'zod'
import { type DocumentSafe, documentSafe } from './documents.ts'
import { type BookingRecord, toPublic } from './domain/booking.ts'
import { isPassenger, isTheirs } from './forgotten.ts'
import { type Receipts, receiptStore } from './receipts/store.ts'
import { bookingStore, type Store } from './store.ts'

const CONFIG = z.object({
  /** As for the service; without it birth dates and passports stay sealed. */
  DOCUMENT_KEY: z.string().min(40).optional(),
})

type Stores = {
  store: Pick<Store, 'ofPerson' | 'forget' | 'forgetPassenger'>
  receipts: Pick<Receipts, 'of'>
  mails: Pick<MailQueue<string>, 'ofSubject'>
  audit: Audit
}

function bookingKeeper({ store, receipts, mails, audit }: Stores, safe: DocumentSafe | null): Keeper {
  return {
    async ids(person) {
      const own = (await store.ofPerson(person)).filter((booking) => isTheirs(booking, person))
      return own.flatMap(({ paymentId }) => paymentId ?? [])
    },

    async read(person, operator) {
      const bookings: object[] = []
      for (const booking of await store.ofPerson(person)) {
        await audit.record({ action: 'person-exported', subject: booking.reference, brandKey: booking.brand }, operator)
        bookings.push({ ...copyFor(booking, person, safe), ...(isTheirs(booking, person) && (await around(booking))) })
      }
      return { bookings }
    },

    /** A booking that is still being made needs its passengers. */
    async erase(person, apply, operator) {
      const [erased, left]: [string[], string[]] = [[], []]
      for (const booking of await store.ofPerson(person)) {
        const done = !booking.open && (!apply || (await eraseFrom(booking, person)))
        ;(done ? erased : left).push(booking.reference)
        if (done && apply) await audit.record({ action: 'person-erased', subject: booking.reference, brandKey: booking.brand }, operator)
      }
      const said = `${erased.length} bookings erased${erased.length > 0 ? ` (${erased.join(', ')})` : ''}`
      return left.length > 0 ? `${said}; still being made, try again in a few minutes: ${left.join(', ')}` : said
    },
  }

  /** What other collections hold of it. Who did something is as personal as the booking, and not the traveller's to see. */
  async function around({ _id, reference }: BookingRecord): Promise<object> {
    const [receipt, sent, done] = await Promise.all([receipts.of(_id), mails.ofSubject(_id), actionsOn(reference)])
    return { receipt: receipt && { series: receipt.series, number: receipt.number, paidAt: receipt.paidAt }, mails: sent, audit: done }
  }

  async function actionsOn(subject: string): Promise<object[]> {
    const all: object[] = []
    let before: string | undefined
    do {
      const { entries, next } = await audit.list({ subject, brands: null, before, limit: 100 })
      all.push(...entries.map(({ id, actor, subject: reference, ...entry }) => entry))
      before = next ?? undefined
    } while (before)
    return all
  }

  /** Of somebody else's booking the passenger goes alone. What administrators wrote about it may name the person. */
  async function eraseFrom(booking: BookingRecord, person: Person): Promise<boolean> {
    const done = isTheirs(booking, person) ? await store.forget(booking) : await store.forgetPassenger(booking, person.email, safe)
    if (done) await audit.dropNotes([booking.reference])
    return done
  }
}

/** The system's own: keyed hashes, its place in the work, what the agency pays and thinks; and what stands beside it in a better form. */
const INTERNAL: readonly string[] = [
  ...['version', 'idempotencyKey', 'requestHash', 'passengersKey', 'furtherAttempts', 'operatorKeys', 'requestId'],
  ...['open', 'openSince', 'nextAt', 'leaseUntil', 'tries', 'attempts', 'answerBy', 'pendingAnnouncedAt', 'sendBefore', 'settleBy'],
  ...['outbox', 'outboxPending', '__v', 'supplier', 'supplierCharge', 'markupPercent', 'attention', 'attentionSince'],
  ...['documents', 'documentKey', 'people', 'contact', 'history'],
]

/** All that is kept of somebody's own booking but what is the system's: a field that comes later is in it. */
const keptOf = (booking: BookingRecord) => Object.fromEntries(Object.entries(booking).filter(([field]) => !INTERNAL.includes(field)))

/** Of somebody else's booking without its contact and its other passengers. */
function copyFor(booking: BookingRecord, person: Person, safe: DocumentSafe | null): object {
  const theirs = isTheirs(booking, person)
  const of = <T>(list: readonly T[]) => list.filter((_, place) => theirs || isPassenger(booking.people[place], person.email))
  const seen = toPublic(booking, now())
  const passengers = of(seen.bookingData.passengers)
  return {
    ...(theirs && keptOf(booking)),
    ...seen,
    bookingData: { ...seen.bookingData, passengers },
    ...(theirs && { contact: booking.contact, history: booking.history?.map(({ at, state }) => ({ at, state })) }),
    passengers: of(booking.people),
    documents: booking.documentKey ? (safe ? of(safe.open(booking)) : 'sealed: DOCUMENT_KEY is not set') : 'destroyed',
  }
}

export const bookingsOfPerson = personCommand('booking', CONFIG, (mongo, { DOCUMENT_KEY }) =>
  bookingKeeper(
    { store: bookingStore(mongo), receipts: receiptStore(mongo), mails: mailQueue(mongo), audit: createAudit(mongo) },
    DOCUMENT_KEY ? documentSafe(DOCUMENT_KEY) : null,
  ),
)
