/** The calls of bookingApi. How a booking begins is opening.ts, and what it goes through after it is stored is the saga. */
import { AppError } from '@passerelle/contracts/error'
import type { BookingCreated, bookingApi } from '@passerelle/contracts/http/booking'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { pause } from '@passerelle/kit/resilience'
import { type BookingRecord, isListed, toPublic } from './domain/booking.ts'
import { cancelAnswer, cancelDecision } from './domain/cancellation.ts'
import { isOpen } from './domain/state.ts'
import type { Preview } from './mails.ts'
import { openBooking } from './opening.ts'
import { drive } from './saga.ts'
import type { SagaTools } from './tools.ts'

export type RouteTools = SagaTools & {
  preview: Preview
  /** How long a visitor waits for the airline before the answer is "pending". */
  answerWithinMs: number
}

const GUEST_READ_MS = 24 * 3_600_000

export function routes(tools: RouteTools): Handlers<typeof bookingApi> {
  const { store, clock } = tools
  return {
    async createBooking({ body, caller, idempotencyKey }) {
      const opened = await openBooking(body, caller, idempotencyKey, tools)
      if ('earlier' in opened) return outcome(await settled(opened.earlier._id, tools), 200, tools)
      const { booking } = opened
      const driven = await within(drive(booking, tools), tools.answerWithinMs)
      return outcome(driven && isDecided(driven) ? driven : await settled(booking._id, tools), 201, tools)
    },

    async listBookings({ caller }) {
      const found = await store.ofUser(caller.userId ?? '')
      return found.filter(isListed).map((booking) => toPublic(booking, clock()))
    },

    async getBooking({ params, caller }) {
      return toPublic(await readable(params.id, caller, tools), clock())
    },

    async cancelBooking({ params, caller }) {
      const booking = await readable(params.id, caller, tools)
      await tryToCancel(booking, tools)
      return cancelAnswer(booking, await settled(booking._id, tools), clock())
    },

    async retrieveBooking({ body }) {
      const booking = await store.byReference(body.reference.toUpperCase())
      if (!booking || booking.contact.email.toLowerCase() !== body.email.toLowerCase() || !isListed(booking))
        throw new AppError('BOOKING_NOT_FOUND')
      return toPublic(booking, clock())
    },

    async getContact({ params }) {
      const booking = await store.byId(params.id)
      if (!booking) throw new AppError('BOOKING_NOT_FOUND')
      const { email, firstName, lastName } = booking.contact
      return {
        bookingId: booking._id,
        reference: booking.reference,
        brand: booking.brand,
        email,
        firstName,
        lastName,
        userId: booking.userId,
        status: toPublic(booking, clock()).status,
      }
    },

    async attachUser({ params, body }) {
      if (!(await store.attachUser(params.id, body.userId))) throw new AppError('BOOKING_NOT_FOUND')
      return { success: true, message: 'The booking belongs to this account.' }
    },
  }
}

const CANCEL_ROUNDS = 5

/** Until the booking has stood still for one decision: it may be confirmed, or fail, while it is being looked at. */
async function tryToCancel(first: BookingRecord, tools: RouteTools): Promise<void> {
  const { store, clock } = tools
  let booking: BookingRecord | null = first
  for (let round = 0; booking && round < CANCEL_ROUNDS; round++) {
    const decision = cancelDecision(booking, clock())
    if (decision === 'nothing') return
    const taken =
      decision === 'wish'
        ? await store.wish(booking._id)
        : await store.change(booking, { state: 'CANCEL_REQUESTED', nextAt: clock(), leaseUntil: new Date(0), tries: 0, cancelNote: null })
    if (taken) {
      const claimed = await store.claim(booking._id, clock())
      if (claimed) await within(drive(claimed, tools), tools.answerWithinMs)
      return
    }
    booking = await store.byId(booking._id)
  }
}

/** Who made it, who owns it, or an administrator; everybody else gets what an unknown id gets. */
async function readable(id: string, caller: Caller, { store, clock }: RouteTools): Promise<BookingRecord> {
  const booking = await store.byId(id)
  const owns = booking && caller.userId !== null && booking.userId === caller.userId
  const young = booking && clock().getTime() - booking.createdAt.getTime() < GUEST_READ_MS
  const made = young && caller.sessionId !== null && booking.ownerSession === caller.sessionId
  if (!booking || !(owns || made || caller.isAdmin)) throw new AppError('BOOKING_NOT_FOUND')
  return booking
}

/** What came of it; null when it takes longer, or failed. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const enough = new AbortController()
  const result = await Promise.race([work.catch(() => null), pause(ms, enough.signal).then(() => null)])
  enough.abort()
  return result
}

/** The visitor can be told an outcome: the rest, if there is any, is done without him. */
function isDecided({ state }: BookingRecord): boolean {
  return !isOpen(state) || state === 'ORDER_FAILED' || state === 'ORDER_UNKNOWN'
}

/** The booking once its outcome is known, or as it is when the visitor has waited long enough. Another process may be at work on it. */
async function settled(id: string, { store, clock, answerWithinMs }: RouteTools): Promise<BookingRecord> {
  const until = clock().getTime() + answerWithinMs
  for (;;) {
    const booking = await store.byId(id)
    if (!booking) throw new AppError('BOOKING_NOT_FOUND')
    if (isDecided(booking) || clock().getTime() >= until) return booking
    await pause(100)
  }
}

async function outcome(booking: BookingRecord, success: number, tools: RouteTools): Promise<Reply<BookingCreated>> {
  const { failure } = booking
  if (failure && (booking.state === 'FAILED' || booking.state === 'ORDER_FAILED')) {
    throw new AppError(failure.code, {
      ...(failure.message && { message: failure.message }),
      ...(failure.details && { details: failure.details }),
    })
  }
  const view = toPublic(booking, tools.clock())
  const body: BookingCreated = { ...view, accountCreated: false, accountInfo: null, emailContent: await tools.preview(booking) }
  return new Reply({ body }, { status: view.status === 'pending' ? 202 : success })
}
