/** One registry per process, with the names of metrics in one place. No label ever holds an id, an address or a raw path. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'

export type Metrics = ReturnType<typeof createMetrics>

const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(service: string) {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers })
  /** @param aggregator what holds for several processes together */
  const gauge = <L extends string = never>(aggregator: 'min' | 'max', name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name, help, labelNames, registers, aggregator })
  return {
    registry,
    httpDuration: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer, by route of the contract',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: HTTP_BUCKETS,
      registers,
    }),
    dependencyUp: gauge('min', 'dependency_up', '1 while a server that this process needs answers, else 0', 'dependency'),
    outboxPublished: counter('outbox_published_total', 'Events published', 'topic'),
    outboxOldest: gauge('max', 'outbox_oldest_age_seconds', 'Age of the oldest event that is not published yet'),
    consumed: counter('consumer_processed_total', 'Events consumed, by outcome', 'group', 'result'),
    consumerLastPoll: gauge('max', 'consumer_last_poll_age_seconds', 'Since the last heartbeat', 'group'),
    consumerLag: gauge('max', 'consumer_lag_messages', 'Messages that a group has not handled yet', 'group', 'topic'),
    searchCache: counter('search_cache_requests_total', 'Searches by where the answer came from', 'result'),
    searchRefused: counter(
      'search_refused_total',
      'New searches that were not asked of the supplier, to keep its budget',
      'account',
      'reason',
    ),
    searchBudgetUsed: gauge('max', 'search_budget_used_ratio', 'Part of the budget of searches that is used', 'account', 'window'),
    lookToBookUsed: gauge('max', 'search_look_to_book_used_ratio', 'Part of the searches that thirty days of orders pay for, live account'),
    supplierCalls: counter('supplier_calls_total', 'Calls to a supplier', 'peer', 'operation', 'outcome'),
    sagaTransitions: counter('booking_saga_transitions_total', 'Transitions of bookings', 'to'),
    invariantBroken: counter('invariant_broken_total', 'Rules of money and tickets that did not hold; nothing was written', 'rule'),
    sagaOldest: gauge('max', 'booking_saga_oldest_age_seconds', 'Age of the oldest booking that is not settled yet, by state', 'state'),
    needsAttention: gauge('max', 'booking_needs_attention', 'Bookings that wait for an operator'),
    orphanOrders: gauge('max', 'booking_orphan_orders', 'Live orders at the supplier that belong to no booking of this system'),
    reconciledAge: gauge('max', 'booking_reconciled_age_seconds', 'Since the end of the last day that was reconciled', 'mode'),
    reconciliationDifferences: gauge('max', 'booking_reconciliation_differences', 'Differences found in the last day reconciled', 'mode'),
    unreadableBookings: counter('booking_unreadable_total', 'Bookings left out of an answer because their record is damaged'),
    paymentOperations: counter('payment_operations_total', 'Card operations', 'operation', 'outcome'),
    mails: counter('mail_sent_total', 'E-mails', 'template', 'result'),
    answerMemory: counter('gateway_answer_memory_total', 'Public reads by whether the answer was in memory', 'route', 'result'),
    rejected: counter('gateway_rejected_total', 'Requests the gateway refused', 'reason'),
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
