/** Work that no request waits for: unknown outcomes, holds that no booking claimed, and voids and refunds that events ask for. */

import { InvariantError } from '@passerelle/kit/invariant'
import { isPeerUnavailable } from '@passerelle/kit/peer'
import { now } from '@passerelle/kit/runtime'
import { claimAndRun, type WorkerDefinition } from '@passerelle/kit/worker'
import { OPERATION_MS } from './domain/deadlines.ts'
import { nextStep, restUntil, retryAt, type Step } from './domain/next-step.ts'
import { hasOutcome, type Payment } from './domain/payment.ts'
import { releaseUnclaimed, releaseUnresolved } from './domain/transitions.ts'
import { closeDeclined, readAgain, refund, voidAuthorisation } from './payment-operations.ts'
import { readReversals } from './reversals.ts'
import { momentOf, type Tools } from './tools.ts'

const CONCURRENT = 8
const STUCK_AFTER = 6

export function paymentWorker(tools: Tools): WorkerDefinition {
  return claimAndRun({
    name: 'payments',
    everyMs: 500,
    concurrency: CONCURRENT,
    claim: () => tools.store.claimDue(now(), OPERATION_MS),
    work: (payment) => runDue(payment, tools),
    log: tools.log,
  })
}

/** Steps until there is nothing to do; a step that fails is tried again later, whatever it was. */
async function runDue(payment: Payment, tools: Tools): Promise<void> {
  try {
    let current = payment
    for (let step = nextStep(current, momentOf(tools)); step !== 'rest'; step = nextStep(current, momentOf(tools))) {
      const before = current.version
      current = await steps[step](current, tools)
      if (current.version === before) return await retryLater(current, tools)
    }
    await tools.store.update(current.id, (latest) => {
      if (nextStep(latest, momentOf(tools)) !== 'rest') return { set: { dueAt: now(), failures: 0 } }
      return { set: { dueAt: restUntil(latest, tools.holdTimes), failures: 0 } }
    })
  } catch (err) {
    // After a broken invariant nothing is written: the payment is due again when its claim ends.
    if (err instanceof InvariantError) throw err
    tools.log.warn({ err, paymentId: payment.id, state: payment.state }, 'payment work failed, trying again later')
    await retryLater(payment, tools)
  }
}

const steps: Record<Exclude<Step, 'rest'>, (payment: Payment, tools: Tools) => Promise<Payment>> = {
  read: readAgain,
  abandon: abandonLate,
  release: (payment, tools) => tools.store.update(payment.id, (current) => releaseUnclaimed(current, momentOf(tools))),
  void: voidAuthorisation,
  refund,
  reversals: readReversals,
  close: closeDeclined,
}

/** The provider may know an outcome that was never recorded: that counts, and the next step deals with it. */
async function abandonLate(payment: Payment, tools: Tools): Promise<Payment> {
  const known = await readAgain(payment, tools)
  if (hasOutcome(known)) return known
  const released = await tools.store.update(known, (current) => releaseUnresolved(current, momentOf(tools)))
  return released.release ? voidAuthorisation(released, tools) : released
}

async function retryLater(payment: Payment, tools: Tools): Promise<void> {
  const failures = payment.failures + 1
  if (failures === STUCK_AFTER && hasOutcome(payment))
    tools.log.error({ paymentId: payment.id, state: payment.state }, 'a payment gets no outcome')
  try {
    await tools.store.update(payment.id, (current) => ({ set: { failures, dueAt: retryAt(current, momentOf(tools)) } }))
  } catch (err) {
    // Its lease ends by itself; only a database that is away may be met here.
    if (!isPeerUnavailable(err)) tools.log.warn({ err, paymentId: payment.id }, 'payment work could not be put off')
  }
}
