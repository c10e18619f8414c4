/** Waits until everything has come to rest and holds every line against it. */
import { delay } from '@passerelle/kit/runtime'
import { Visitor } from '@passerelle/local/test-visitor.fixture'
import { counted, must, mustBeNone, say } from './campaign.ts'
import { type Evidence, type Ledgers, type Stored, type World, withReader } from './evidence.ts'
import { isOpen, judge } from './invariants.ts'
import type { Journey } from './journeys.ts'

/** Waits until nothing is open, held or due, and checks every line. Without journeys nothing is known of what visitors were told. */
export async function checkAtRest(world: World, journeys?: readonly Journey[], seconds = 240): Promise<Evidence> {
  if (journeys) sayJourneys(journeys)
  const began = performance.now()
  const evidence = await withReader(world, async (reader) => {
    for (;;) {
      const left = unfinished(await reader.now(), world.url !== undefined)
      const waited = Math.round((performance.now() - began) / 1000)
      if (Object.values(left).every((count) => count === 0)) say(`at rest after ${waited} s`)
      else if (waited > seconds) must('everything comes to rest', false, left)
      else {
        if (waited % 15 === 14) say('still to be done', left)
        await delay(1000)
        continue
      }
      return reader.whole(journeys ?? null)
    }
  })
  saySummary(evidence)
  for (const { id, what, of, violations } of judge(evidence))
    must(`${id} ${what}`, violations.length === 0, violations.length === 0 ? `0 of ${of}` : violations.slice(0, 3))
  if (journeys && world.url !== undefined) await checkGateway(world.url, journeys)
  return evidence
}

/** What still has to happen, by kind. */
export function unfinished(
  { bookings, payments, users, mails, intents, orders }: Stored & Ledgers,
  whole: boolean,
): Record<string, number> {
  const confirmed = bookings.filter(({ state }) => state === 'CONFIRMED')
  const waiting = new Set(users.flatMap(({ waitingBookings = [] }) => waitingBookings))
  const stateOf = new Map(bookings.map(({ _id, state }) => [_id, state]))
  return {
    bookings: bookings.filter(isOpen).length,
    refunds: bookings.filter(({ state, refund }) => state === 'ORDER_CANCELLED' && refund?.kind === 'card' && refund.minor > 0).length,
    payments: payments.filter(({ state }) => state === 'created' || state === 'authorised').length,
    authorisations: intents.filter(({ status }) => status === 'requires_capture').length,
    'orders of bookings that failed': orders.filter((one) => !one.cancelled_at && stateOf.get(one.metadata.booking_id ?? '') === 'FAILED')
      .length,
    events: [...bookings, ...payments, ...users].filter(({ outboxPending }) => outboxPending).length,
    ...(whole && {
      mails: mails.filter(({ state }) => state === 'due').length,
      'confirmations not yet written': Math.max(0, confirmed.length - mails.filter(({ state }) => state === 'sent').length),
      'bookings without an account': confirmed.filter(({ _id, userId }) => !userId && !waiting.has(_id)).length,
    }),
  }
}

function saySummary({ bookings, payments, intents, orders, users, messages }: Evidence): void {
  say('bookings', counted(bookings.map(({ state }) => state)))
  say('payments', counted(payments.map(({ state }) => state)))
  say(`orders ${orders.length}, accounts ${users.length}, mails ${messages.length}, intents`, counted(intents.map(({ status }) => status)))
}

async function checkGateway(url: string, journeys: readonly Journey[]): Promise<void> {
  const sample = journeys.filter(({ booked }) => booked?.status === 'confirmed').slice(-20)
  const retrieve = async ({ booked, email }: Journey) =>
    (await new Visitor(url).post('/api/bookings/retrieve', { reference: booked?.bookingReference, email })).status
  mustBeNone(
    'the gateway finds acknowledged bookings by reference and e-mail',
    await Promise.all(sample.map(retrieve)),
    (one) => one !== 200,
  )
}

function sayJourneys(journeys: readonly Journey[]): void {
  const ends = journeys.map(({ booked, failedAt }) => booked?.status ?? `no ${failedAt}`)
  say(`journeys ${journeys.length}`, counted(ends))
  say('answers that were no success', counted(journeys.flatMap(({ failures }) => failures)))
}
