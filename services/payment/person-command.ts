/** What `make export-person` and `make erase-person` do here: the payments of an account, and of bookings that are the person's own. */
import { createAudit } from '@passerelle/kit/audit'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { personCommand } from '@passerelle/kit/person-command'
import { z } from 'zod'
import type { Payment } from './domain/payment.ts'
import { paymentStore } from './store.ts'

/** The system's own: keyed hashes and its place in the work. */
const INTERNAL: readonly string[] = [
  ...['version', 'key', 'fingerprint', 'requestId', 'attemptBy', 'attemptUntil', 'dueAt', 'failures', 'keyGeneration', 'webhookEvents'],
  ...['recheckAt', 'reversalsRecheckAt', 'unclaimedCaptureAt', 'closed', 'outbox', 'outboxPending', '__v'],
]

/** All that is kept of a payment but what is the system's: a field that comes later is in it. */
const keptOf = (payment: Payment) => Object.fromEntries(Object.entries(payment).filter(([field]) => !INTERNAL.includes(field)))

export const paymentsOfPerson = personCommand('payment', z.object({}), (mongo) => {
  const store = paymentStore(mongo, { metrics: createMetrics('payment'), log: createLog('payment', 'error') })
  const audit = createAudit(mongo)
  return {
    async read(person, operator) {
      const payments = await store.ofPerson(person)
      for (const { id: subject } of payments) await audit.record({ action: 'person-exported', subject, brandKey: null }, operator)
      return { payments: payments.map(keptOf) }
    },

    /** Accounting needs them, and they name nobody. */
    async erase(person) {
      const { length } = await store.ofPerson(person)
      return `nothing to erase: ${length} payments stay, which hold amounts, ids and the last four digits of cards`
    },
  }
})
