/** The calls of bookingApi. create-booking.ts writes a new booking, saga.ts takes it from there. */
import { AppError } from '@passerelle/contracts/error'
import { Booking, type BookingCreated, BookingCreatedInternally, type bookingApi } from '@passerelle/contracts/http/booking'
import type { BookingContact } from '@passerelle/contracts/http/booking-contact'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { InvariantError } from '@passerelle/kit/invariant'
import { delay, now, nowMs } from '@passerelle/kit/runtime'
import { looksAfter } from '@passerelle/kit/staff'
import { lookupKeys } from './attempt.ts'
import type { BrandOf } from './brands/brand-copies.ts'
import { type CreationContext, createBooking } from './create-booking.ts'
import { attemptOutcome, type BookingRecord, failureText, isListed, toPublic } from './domain/booking.ts'
import { cancelAnswer, cancelDecision } from './domain/cancellation.ts'
import { receiptOf } from './domain/receipt.ts'
import { isOpen } from './domain/state.ts'
import type { Preview } from './mails.ts'
import { acceptChange, takeNotice } from './notices.ts'
import { quoteCancellation } from './quote.ts'
import { drive } from './saga.ts'
import { transition } from './transition.ts'

export type RouteContext = CreationContext & {
  brandOf: BrandOf
  preview: Preview
  /** The flight supplier signs its notices with it. */
  noticeSecret: Record<'test' | 'live', string | undefined>
  /** How long a visitor waits for the airline before the answer is "pending". */
  answerWithinMs: number
}

const GUEST_READ_MS = 24 * 3_600_000

export function routes(context: RouteContext): Handlers<typeof bookingApi> {
  const { store } = context
  const answerBy = () => new Date(nowMs() + context.answerWithinMs)
  return {
    async createBooking({ body, caller, idempotencyKey }) {
      const until = answerBy()
      const created = await createBooking(body, caller, idempotencyKey, until, context)
      if ('earlier' in created) return outcome(await waitForOutcome(created.earlier._id, until, context), 200, context)
      const { booking } = created
      const driven = await within(drive(booking, context), until)
      return outcome(driven && isDecided(driven) ? driven : await waitForOutcome(booking._id, until, context), 201, context)
    },

    async listBookings({ caller }) {
      // A guest's booking joins the new account by an event, a moment later: until then it is listed as what this visitor made.
      const found = await store.ofUser(caller.userId ?? '', caller.visitorId, new Date(nowMs() - GUEST_READ_MS))
      return found.filter(isListed).flatMap((booking) => readableView(booking, context) ?? [])
    },

    async getAttempt({ params, caller }) {
      const keys = lookupKeys(params.key, caller, context.hash)
      const booking = keys.length > 0 ? await store.byKey(...keys) : null
      return { outcome: attemptOutcome(booking), booking: booking && view(booking, context), failure: booking && failureText(booking) }
    },

    async getBooking({ params, caller }) {
      return view(await readable(params.id, caller, context), context)
    },

    async getReceipt({ params, caller }) {
      const booking = await readable(params.id, caller, context)
      if (!booking.captured) throw new AppError('RECEIPT_NOT_FOUND')
      // Bookings of before receipts had numbers get theirs when somebody first asks.
      const { number, paidAt } = await context.receipts.issue(booking, booking.createdAt)
      const { brand } = await context.brandOf(booking.brand, caller)
      return { ...receiptOf(booking, number, paidAt), seller: { name: brand.name, ...brand.contact }, booking: view(booking, context) }
    },

    async cancelBooking({ params, caller }) {
      const until = answerBy()
      const message = 'Unable to cancel booking: this booking does not exist'
      const booking = await readable(params.id, caller, context, message)
      view(booking, context)
      await tryToCancel(booking, until, context)
      return cancelAnswer(booking, await waitForOutcome(booking._id, until, context), now())
    },

    async quoteCancellation({ params, caller }) {
      return view(await quoteCancellation(await readable(params.id, caller, context), context), context)
    },

    async acceptChange({ params, body, caller }) {
      return view(await acceptChange(await readable(params.id, caller, context), body.changeId, context), context)
    },

    async supplierNotice({ params: { mode }, body, header }) {
      await takeNotice(body, { signature: header('x-duffel-signature'), secret: context.noticeSecret[mode], mode }, store)
      return { received: true }
    },

    async retrieveBooking({ body }) {
      const booking = await store.byReference(body.reference.toUpperCase())
      if (!booking || String(booking.contact?.email).toLowerCase() !== body.email.toLowerCase() || !isListed(booking))
        throw new AppError('BOOKING_NOT_FOUND')
      return view(booking, context)
    },

    async getContact({ params }) {
      const booking = await store.byId(params.id)
      if (!booking) throw new AppError('BOOKING_NOT_FOUND')
      return contactOf(booking)
    },
  }
}

const CANCEL_ROUNDS = 5

/** Decides again when the booking has changed in between: it may be confirmed, or fail, meanwhile. */
async function tryToCancel(first: BookingRecord, until: Date, context: RouteContext): Promise<void> {
  const { store } = context
  let booking: BookingRecord | null = first
  for (let round = 0; booking && round < CANCEL_ROUNDS; round++) {
    const decision = cancelDecision(booking, now())
    if (decision === 'nothing') return
    const taken =
      decision === 'remember'
        ? await store.requestCancellation(booking._id)
        : await transition(booking, 'CANCEL_REQUESTED', { leaseUntil: new Date(0), cancelNote: null }, [], context)
    if (taken) {
      const claimed = await store.claim(booking._id, now())
      if (claimed) await within(drive(claimed, context), until)
      return
    }
    booking = await store.byId(booking._id)
  }
}

/** Who made it, who owns it, or an administrator; everybody else gets what an unknown id gets. */
async function readable(id: string, caller: Caller, { store }: RouteContext, missing?: string): Promise<BookingRecord> {
  const booking = await store.byId(id)
  const owns = booking && caller.userId !== null && booking.userId === caller.userId
  const young = booking && nowMs() - Number(booking.createdAt) < GUEST_READ_MS
  const made = young && caller.visitorId !== null && booking.visitorId === caller.visitorId
  const administers = booking && caller.userId !== null && looksAfter(caller, booking.brand)
  if (!booking || !(owns || made || administers)) throw new AppError('BOOKING_NOT_FOUND', { ...(missing && { message: missing }) })
  return booking
}

/** The booking as the public sees it; null for a damaged record, which is counted and logged by its id alone. */
function readableView(booking: BookingRecord, { log, metrics }: RouteContext): Booking | null {
  let reason: string
  try {
    const read = Booking.safeParse(toPublic(booking, now()))
    if (read.success) return read.data
    reason = read.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ')
  } catch (error) {
    reason = error instanceof Error ? error.name : 'unknown'
  }
  metrics.unreadableBookings.inc()
  log.error({ bookingId: booking._id, reason }, 'the record of a booking is damaged: an operator must look')
  return null
}

/** @throws BOOKING_UNREADABLE */
export function view(booking: BookingRecord, context: RouteContext): Booking {
  const seen = readableView(booking, context)
  if (!seen) throw new AppError('BOOKING_UNREADABLE')
  return seen
}

/** The visitor can be told an outcome: a worker does the rest, if there is any. */
function isDecided({ state }: BookingRecord): boolean {
  return !isOpen(state) || state === 'ORDER_FAILED' || state === 'ORDER_UNKNOWN'
}

/** The work's result; null when it takes longer than `until`, or failed. The work goes on. @throws InvariantError */
export async function within<T>(work: Promise<T>, until: Date): Promise<T | null> {
  const ended = new AbortController()
  const result = work.catch((error) => {
    if (error instanceof InvariantError) throw error
    return null
  })
  try {
    return await Promise.race([result, delay(Math.max(0, until.getTime() - nowMs()), ended.signal).then(() => null)])
  } finally {
    ended.abort()
  }
}

/** The booking once its outcome is known, or as it is when the visitor has waited long enough. Another process may be at work on it. */
async function waitForOutcome(id: string, until: Date, { store }: RouteContext): Promise<BookingRecord> {
  for (;;) {
    const booking = await store.byId(id)
    if (!booking) throw new AppError('BOOKING_NOT_FOUND')
    if (isDecided(booking) || now() >= until) return booking
    await delay(100)
  }
}

function contactOf(booking: BookingRecord): BookingContact {
  const { _id: bookingId, reference, brand, userId } = booking
  const { email, firstName, lastName } = booking.contact
  return { bookingId, reference, brand, email, firstName, lastName, userId, status: toPublic(booking, now()).status }
}

async function outcome(booking: BookingRecord, success: number, context: RouteContext): Promise<Reply<BookingCreated>> {
  const { failure } = booking
  if (failure && (booking.state === 'FAILED' || booking.state === 'ORDER_FAILED')) {
    throw new AppError(failure.code, {
      ...(failure.message && { message: failure.message }),
      ...(failure.details && { details: failure.details }),
    })
  }
  const seen = toPublic(booking, now())
  const body = BookingCreatedInternally.parse({
    ...seen,
    accountCreated: false,
    accountInfo: null,
    emailContent: await context.preview(booking),
    ...(seen.status === 'confirmed' && booking.userId === null && { contact: contactOf(booking) }),
  })
  return new Reply<BookingCreated>({ json: JSON.stringify(body) }, { status: seen.status === 'pending' ? 202 : success })
}
