/** What no request waits for: outcomes that were not learnt, holds that no booking claimed, and what the bus asked for. */
import { isAway } from '@passerelle/kit/peer'
import type { WorkerDefinition } from '@passerelle/kit/worker'
import { nextStep, restUntil, retryAt } from './domain/next-step.ts'
import type { Payment } from './domain/payment.ts'
import { giveUpWaiting } from './domain/transitions.ts'
import { close, giveBack, readAgain, refund } from './settlement.ts'
import { momentOf, type Tools } from './tools.ts'

const LEASE_MS = 90_000
const AT_ONCE = 8
const STUCK_AFTER = 6

export function paymentWorker(tools: Tools): WorkerDefinition {
  return {
    name: 'payments',
    everyMs: 500,
    async run(signal) {
      const claimed: Payment[] = []
      while (claimed.length < AT_ONCE && !signal.aborted) {
        const payment = await tools.store.claimDue(tools.clock(), LEASE_MS)
        if (!payment) break
        claimed.push(payment)
      }
      await Promise.all(claimed.map((payment) => work(payment, tools)))
      return claimed.length === AT_ONCE
    },
  }
}

/** Steps until there is nothing to do; a step that fails is tried again later, whatever it was. */
async function work(payment: Payment, tools: Tools): Promise<void> {
  try {
    let current = payment
    for (let step = nextStep(current, momentOf(tools)); step !== 'rest'; step = nextStep(current, momentOf(tools))) {
      const before = current.version
      current = await perform(step, current, tools)
      if (current.version === before) return await lookAgain(current, tools)
    }
    await tools.store.update(current.id, (latest) => {
      if (nextStep(latest, momentOf(tools)) !== 'rest') return { set: { dueAt: tools.clock(), failures: 0 } }
      return { set: { dueAt: restUntil(latest, tools.holdMs), failures: 0 } }
    })
  } catch (err) {
    tools.log.warn({ err, paymentId: payment.id, state: payment.state }, 'payment work failed, trying again later')
    await lookAgain(payment, tools)
  }
}

function perform(step: Exclude<ReturnType<typeof nextStep>, 'rest'>, payment: Payment, tools: Tools): Promise<Payment> {
  switch (step) {
    case 'settle':
      return readAgain(payment, tools)
    case 'abandon':
      return abandonLate(payment, tools)
    case 'release':
      return tools.store.update(payment.id, (current) => giveUpWaiting(current, tools.clock()))
    case 'void':
      return giveBack(payment, tools)
    case 'refund':
      return refund(payment, tools)
    case 'close':
      return close(payment, tools)
  }
}

/** The provider may know an outcome that was never recorded: that counts, and the next step deals with it. */
async function abandonLate(payment: Payment, tools: Tools): Promise<Payment> {
  const known = await readAgain(payment, tools)
  return known.state === 'created' ? giveBack(known, tools) : known
}

async function lookAgain(payment: Payment, tools: Tools): Promise<void> {
  const failures = payment.failures + 1
  if (failures === STUCK_AFTER && payment.state !== 'created')
    tools.log.error({ paymentId: payment.id, state: payment.state }, 'a payment does not settle')
  try {
    await tools.store.update(payment.id, (current) => ({ set: { failures, dueAt: retryAt(current, momentOf(tools)) } }))
  } catch (err) {
    // Its lease ends by itself; only a database that is away may be met here.
    if (!isAway(err)) tools.log.warn({ err, paymentId: payment.id }, 'payment work could not be put off')
  }
}
