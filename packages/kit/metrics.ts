/** One registry per process, with the names of metrics in one place. No label ever holds an id, an address or a raw path. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(service: string) {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    httpDuration: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer, by route of the contract',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    dependencyUp: new Gauge({
      name: 'dependency_up',
      help: '1 while a server that this process needs answers, else 0',
      labelNames: ['dependency'] as const,
      registers,
    }),
    outboxPublished: new Counter({
      name: 'outbox_published_total',
      help: 'Events handed to the bus',
      labelNames: ['topic'] as const,
      registers,
    }),
    outboxOldest: new Gauge({ name: 'outbox_oldest_age_seconds', help: 'Age of the oldest event not yet on the bus', registers }),
    consumed: new Counter({
      name: 'consumer_processed_total',
      help: 'Events consumed, by outcome',
      labelNames: ['group', 'result'] as const,
      registers,
    }),
    consumerLastPoll: new Gauge({
      name: 'consumer_last_poll_age_seconds',
      help: 'Since the last fetch',
      labelNames: ['group'] as const,
      registers,
    }),
    searchCache: new Counter({
      name: 'search_cache_requests_total',
      help: 'Searches by where the answer came from',
      labelNames: ['result'] as const,
      registers,
    }),
    supplierCalls: new Counter({
      name: 'supplier_calls_total',
      help: 'Calls to a supplier',
      labelNames: ['peer', 'operation', 'outcome'] as const,
      registers,
    }),
    sagaTransitions: new Counter({
      name: 'booking_saga_transitions_total',
      help: 'Steps of bookings',
      labelNames: ['to'] as const,
      registers,
    }),
    invariantBroken: new Counter({
      name: 'invariant_broken_total',
      help: 'Rules of money and tickets that did not hold; the request was stopped and nothing written',
      labelNames: ['rule'] as const,
      registers,
    }),
    needsAttention: new Gauge({ name: 'booking_needs_attention', help: 'Bookings that wait for an operator', registers }),
    orphanOrders: new Gauge({
      name: 'booking_orphan_orders',
      help: 'Live orders at the supplier that belong to no booking of this system',
      registers,
    }),
    unreadableBookings: new Counter({
      name: 'booking_unreadable_total',
      help: 'Bookings that an answer had to leave out because their record is damaged',
      registers,
    }),
    paymentOperations: new Counter({
      name: 'payment_operations_total',
      help: 'Card operations',
      labelNames: ['operation', 'outcome'] as const,
      registers,
    }),
    mails: new Counter({ name: 'mail_sent_total', help: 'E-mails', labelNames: ['template', 'result'] as const, registers }),
    rejected: new Counter({
      name: 'gateway_rejected_total',
      help: 'Requests the gateway refused',
      labelNames: ['reason'] as const,
      registers,
    }),
  }
}

/** Counts a call to a supplier by its outcome: "ok", or what `outcomeOf` says of its error, which is thrown on. */
export async function countSupplierCall<T>(
  { supplierCalls }: Metrics,
  { peer, operation, outcomeOf }: { peer: string; operation: string; outcomeOf(error: unknown): string },
  call: () => Promise<T>,
): Promise<T> {
  try {
    const result = await call()
    supplierCalls.inc({ peer, operation, outcome: 'ok' })
    return result
  } catch (error) {
    supplierCalls.inc({ peer, operation, outcome: outcomeOf(error) })
    throw error
  }
}
