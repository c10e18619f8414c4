/** The calls of backOfficeApi. */
import { AppError } from '@passerelle/contracts/error'
import { type backOfficeApi, CSV, type OfficeBooking, type OfficeRow } from '@passerelle/contracts/http/back-office'
import type { Audit } from '@passerelle/kit/audit'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { now, nowMs } from '@passerelle/kit/runtime'
import { brandsAskedFor, brandsOf, requireBrand } from '@passerelle/kit/staff'
import type { BookingRecord } from '../domain/booking.ts'
import { type RouteContext, view, within } from '../routes.ts'
import { drive } from '../saga.ts'
import { asCaller, transition } from '../transition.ts'
import { csvOf } from './csv.ts'
import { leaseOf, type Operation, refund, retry, settle } from './operations.ts'
import { toDetail, toRow } from './view.ts'

export type OfficeContext = RouteContext & { audit: Audit; mails: Pick<MailQueue<string>, 'ofSubject'> }

const AUDIT_SHOWN = 50
const ROUNDS = 5
const MOST_KEYS = 50

export function officeRoutes(context: OfficeContext): Handlers<typeof backOfficeApi> {
  const { store, audit } = context
  const load = async (id: string, caller: Caller): Promise<BookingRecord> => {
    const booking = await store.byId(id)
    if (!booking) throw new AppError('BOOKING_NOT_FOUND')
    requireBrand(caller, booking.brand, 'BOOKING_NOT_FOUND')
    return booking
  }

  const detail = async (booking: BookingRecord): Promise<OfficeBooking> => {
    const [payment, mails, { entries }] = await Promise.all([
      paymentOf(booking, context),
      context.mails.ofSubject(booking._id),
      audit.list({ subject: booking.reference, brands: null, limit: AUDIT_SHOWN }),
    ])
    return toDetail(booking, { booking: view(booking, context), payment, mails, audit: entries }, now())
  }

  const operate = async (id: string, operation: Operation, caller: Caller, idempotencyKey: string | null): Promise<OfficeBooking> => {
    const booking = await load(id, caller)
    const key = idempotencyKey && `${caller.userId}:${idempotencyKey}`
    if (!isDone(booking, key)) await run(booking, operation, key, caller)
    return detail(await load(id, caller))
  }

  /** Recorded as done by the one who does it, and as refused for the others. */
  const run = async (first: BookingRecord, operation: Operation, key: string | null, caller: Caller): Promise<void> => {
    const { _id: id, reference: subject, brand: brandKey, state: from } = first
    const about = { action: operation.action, subject, brandKey, from, ...(operation.note && { note: operation.note }) }
    try {
      const done = await write(first, operation, key, caller)
      if (!done) return
      if (done.goesOn) await goOn(id)
      await audit.record({ ...about, to: done.to ?? (await load(id, caller)).state }, caller)
    } catch (error) {
      if (error instanceof AppError && error.status < 500)
        await audit.run(about, caller, async () => {
          throw error
        })
      throw error
    }
  }

  /** What was written; null when the same request has written it meanwhile. */
  const write = async (first: BookingRecord, operation: Operation, key: string | null, caller: Caller) => {
    let booking = first
    for (let round = 0; round < ROUNDS; round++) {
      if (isDone(booking, key)) return null
      const move = operation.decide(booking)
      const operatorKeys = [...(booking.operatorKeys ?? []), ...(key ? [key] : [])].slice(-MOST_KEYS)
      const change = { ...leaseOf(move.state), ...move.change, operatorKeys }
      const written =
        move.state === null
          ? await store.change(booking, change)
          : await transition(booking, move.state, change, move.events, context, caller.userId ?? 'unknown')
      if (written) return move
      booking = await load(booking._id, caller)
    }
    throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 1 })
  }

  const goOn = async (id: string): Promise<void> => {
    const claimed = await store.claim(id, now())
    if (claimed) await within(drive(claimed, context), new Date(nowMs() + context.answerWithinMs))
  }

  return {
    async listOfficeBookings({ query: { brandKey, ...query }, caller }) {
      const asked = { ...query, mode: caller.mode, brands: brandsAskedFor(caller, brandKey) }
      const [found, counts] = await Promise.all([store.officeList(asked, now()), store.officeCounts(asked, now())])
      const shown = found.slice(0, query.limit)
      return {
        bookings: shown.flatMap((booking) => readableRow(booking, context) ?? []),
        next: found.length > query.limit ? (shown.at(-1)?._id ?? null) : null,
        counts,
      }
    },
    async downloadOfficeBookings({ query, caller }) {
      const { brandKey, ...find } = query
      const asked = { ...find, mode: caller.mode, brands: brandsAskedFor(caller, brandKey) }
      const at = now()
      const counts = await store.officeCounts(asked, at)
      const count = query.state ? counts[query.state] : Object.values(counts).reduce((sum, one) => sum + one, 0)
      // Before anything leaves. Of an administrator of all it is the whole system's matter, else of each brand that is in it.
      for (const brand of asked.brands ?? [null])
        await audit.record({ action: 'bookings-downloaded', subject: 'bookings', brandKey: brand, to: downloadWords(count, query) }, caller)
      const headers = { 'content-disposition': `attachment; filename="bookings-${at.toISOString().slice(0, 10)}.csv"` }
      return new Reply<string>({ chunks: csvOf(readableRows(store.officeRows(asked, at), context)), type: CSV }, { headers })
    },
    getOfficeBooking: async ({ params, caller }) => detail(await load(params.id, caller)),
    retryBooking: ({ params, caller, idempotencyKey }) => operate(params.id, retry, caller, idempotencyKey),
    refundBooking: ({ params, body, caller, idempotencyKey }) =>
      operate(params.id, refund(body.refund, body.reason), caller, idempotencyKey),
    settleBooking: ({ params, body, caller, idempotencyKey }) =>
      operate(params.id, settle(body.ending, body.reason), caller, idempotencyKey),
    listBookingAudit: ({ query, caller }) => audit.list({ ...query, brands: brandsOf(caller) }),
  }
}

const isDone = ({ operatorKeys }: BookingRecord, key: string | null) => key !== null && operatorKeys?.includes(key) === true

/** null while the payment service does not answer, and for a payment that it does not know. */
async function paymentOf(booking: BookingRecord, { payment, log }: RouteContext) {
  try {
    return await payment(asCaller(booking)).getPayment({ params: { id: booking.paymentId } })
  } catch (err) {
    log.warn({ err, bookingId: booking._id }, 'the payment of a booking could not be read')
    return null
  }
}

/** Without the reference or address that was looked for. */
function downloadWords(
  count: number,
  { state, q, since }: { state?: string | undefined; q?: string | undefined; since?: string | undefined },
): string {
  const narrowed = [state && `in state ${state}`, q && 'found by reference or e-mail', since && `since ${since.slice(0, 10)}`]
  return [`${count} bookings`, ...narrowed].filter(Boolean).join(', ')
}

async function* readableRows(bookings: AsyncIterable<BookingRecord>, context: RouteContext): AsyncGenerator<OfficeRow> {
  for await (const booking of bookings) {
    const row = readableRow(booking, context)
    if (row) yield row
  }
}

/** null for a damaged record, which is logged by its id alone. */
function readableRow(booking: BookingRecord, { log, metrics }: RouteContext): OfficeRow | null {
  try {
    return toRow(booking, now())
  } catch {
    metrics.unreadableBookings.inc()
    log.error({ bookingId: booking._id }, 'the record of a booking is damaged: an operator must look')
    return null
  }
}
