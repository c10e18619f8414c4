/** What the flight supplier tells of orders: a notice only says which order to read, whoever sent it, however often and in whatever order. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@passerelle/contracts/error'
import { bookingRescheduled } from '@passerelle/contracts/events/booking'
import { now, nowMs } from '@passerelle/kit/runtime'
import { claimAndRun, type WorkerDefinition } from '@passerelle/kit/worker'
import { z } from 'zod'
import { type BookingRecord, flightTimes } from './domain/booking.ts'
import { openChange, reschedule } from './domain/schedule.ts'
import type { Store } from './store.ts'
import { createEvent, type SagaContext } from './transition.ts'

const text = z.string().min(1).max(255)
const Notice = z.object({
  type: text,
  data: z.object({ object: z.object({ id: text.optional().catch(undefined) }).optional() }).optional(),
})

/**
 * Whether the supplier has signed these bytes: `t=<seconds>,v1=<hex>`, an HMAC-SHA256 of "t.body". Its age is not looked at: the supplier
 * repeats notices for three days, and a repeated one only makes the order be read again.
 */
export function isSigned(body: Uint8Array, signature: string | undefined, secret: string | undefined): boolean {
  if (!signature || !secret) return false
  const parts = signature.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined])
  const at = parts.find(([name]) => name === 't')?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest()
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** @throws VALIDATION_ERROR for what the supplier has not signed, and for what is no notice */
export async function takeNotice(
  body: Uint8Array,
  about: { signature: string | undefined; secret: string | undefined; mode: BookingRecord['mode'] },
  store: Pick<Store, 'noteNotice'>,
): Promise<void> {
  if (!isSigned(body, about.signature, about.secret)) throw new AppError('VALIDATION_ERROR', { message: 'The signature is not valid' })
  const notice = Notice.safeParse(jsonOf(body))
  if (!notice.success) throw new AppError('VALIDATION_ERROR', { message: 'The body is not an event' })
  const { type, data } = notice.data
  const orderId = data?.object?.id
  if (type.startsWith('order.') && orderId) await store.noteNotice(orderId, about.mode, now())
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

const AT_ONCE = 4
/** An order that could not be read is read again after so long. */
const AGAIN_MS = 30_000

export function noticeWorker(context: SagaContext): WorkerDefinition {
  const { store, log } = context
  return claimAndRun({
    name: 'notices',
    everyMs: 1000,
    concurrency: AT_ONCE,
    claim: () => store.claimNoticed(now(), new Date(nowMs() + AGAIN_MS)),
    async work(booking) {
      await readOrder(booking, context)
      await store.settleNotice(booking)
    },
    log,
  })
}

/** Changes of the schedule are kept with the mail's event, if nobody has written since; else the next look does it. */
async function readOrder(booking: BookingRecord, context: SagaContext): Promise<void> {
  const { orderId, mode, state, history = [] } = booking
  if (!orderId || state !== 'CONFIRMED') return
  const at = now()
  const next = reschedule(booking, await context.supplier(mode).changesOf(orderId), at)
  if (!next) return
  const { fresh, slices, scheduleChanges } = next
  const change = { offer: { ...booking.offer, slices }, ...flightTimes(slices), scheduleChanges }
  const events = fresh ? [createEvent(booking, bookingRescheduled, { changeId: fresh })] : []
  const entries = fresh ? { history: [...history, { at, state: 'SCHEDULE_CHANGED' as const }] } : {}
  if (!(await context.store.change(booking, { ...change, ...entries }, events))) throw new Error('the booking has changed meanwhile')
  context.log.info({ bookingId: booking._id, changeId: fresh }, 'the airline has changed its schedule')
}

const ROUNDS = 5

/**
 * The traveller takes the new times, as they were shown. Safe to repeat.
 * @throws BOOKING_STATE when these times are no longer open, UPSTREAM_UNAVAILABLE
 */
export async function acceptChange(first: BookingRecord, changeId: string, context: SagaContext): Promise<BookingRecord> {
  if (first.scheduleChanges?.find(({ id }) => id === changeId)?.action === 'accepted') return first
  const change = openChange(first)
  if (!first.orderId || change?.id !== changeId || !change.canAccept || first.state !== 'CONFIRMED')
    throw new AppError('BOOKING_STATE', { message: 'Unable to accept the new times: they have changed since, or were answered.' })
  for (const { id, action } of first.scheduleChanges ?? [])
    if (action === null) await context.supplier(first.mode).acceptChange(first.orderId, id)
  let booking: BookingRecord | null = first
  for (let round = 0; booking && round < ROUNDS; round++) {
    const at = now()
    // A change that came meanwhile is not what was accepted.
    const seen = new Set(first.scheduleChanges?.map(({ id }) => id))
    const scheduleChanges = (booking.scheduleChanges ?? []).map((one) =>
      seen.has(one.id) && one.action === null ? { ...one, action: 'accepted' as const } : one,
    )
    const history = [...(booking.history ?? []), { at, state: 'CHANGE_ACCEPTED' as const }]
    const written = await context.store.change(booking, { scheduleChanges, history })
    if (written) return written
    booking = await context.store.byId(first._id)
  }
  throw new AppError('UPSTREAM_UNAVAILABLE', { retryAfter: 1 })
}
