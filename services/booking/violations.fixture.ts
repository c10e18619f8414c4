/** For tests of the saga: what must be true of a booking that has come to rest. */
import type { SagaWorld, StoredBooking } from './saga.fixture.ts'

/** What is wrong with a booking at rest: ticket and money go together, and each was announced once, in order. Empty when all is well. */
export function violations(booking: StoredBooking, world: SagaWorld): string[] {
  const orders = world.ordersOf(booking._id)
  const living = orders.filter((order) => !order.cancelled).length
  const { state, captures } = world.payment(booking)
  const events = (booking.outbox ?? []).map(({ name }) => name)
  const count = (name: string) => events.filter((one) => one === name).length
  const sequences = (booking.outbox ?? []).map(({ sequence }) => sequence)
  const found: string[] = []
  const must = (holds: boolean, what: string) => {
    if (!holds)
      found.push(`${booking.state}: ${what} (orders ${orders.length}, living ${living}, payment ${state}, events ${events.join(' ')})`)
  }
  const operatorAlarmed = () => world.alarms.some((line) => line.includes(booking._id) && line.includes('an operator must look'))
  must(captures <= 1, 'captured once at most')
  must(orders.length <= 1, 'ordered once at most')
  must(count('booking.pending') <= 1, 'pending is announced once at most')
  must(count('booking.confirmed') + count('booking.failed') <= 1, 'one outcome is announced')
  must(new Set(sequences).size === sequences.length && sequences.every((one, i) => i === 0 || one > (sequences[i - 1] ?? 0)), 'in order')
  switch (booking.state) {
    case 'CONFIRMED':
      must(living === 1 && state === 'captured', 'a paid ticket')
      must(typeof booking.passengersKey === 'string', 'the passengers are booked')
      must(booking.orderId === orders[0]?.id, 'its own order')
      break
    case 'FAILED':
      must(booking.passengersKey === null, 'the passengers may book again')
      must(state === 'released' && (living === 0 || (world.keepsTickets(booking._id) && operatorAlarmed())), 'no ticket, no money')
      must(count('booking.failed') === 1, 'the failure is announced')
      break
    case 'ORDER_CANCELLED':
      must(living === 0 && state === 'captured' && booking.refund !== null, 'no ticket, money captured and to be refunded')
      must(booking.refund?.kind !== 'operator' || operatorAlarmed(), 'an operator knows of the refund')
      must(booking.passengersKey === null, 'the passengers may book again')
      must(count('booking.cancelled') === 1, 'the cancellation is announced')
      break
    case 'NEEDS_ATTENTION':
      must(living === 1 && state === 'released', 'a ticket that nobody has paid')
      break
    default:
      must(false, 'at rest')
  }
  return found
}
