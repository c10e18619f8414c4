/** Disputes of cardholders: listed for a payment, and decided by the bank. `openDispute` in charges.ts begins one. */
import { z } from 'zod'
import { text } from './parameters.ts'
import type { Charge, Dispute } from './resources.ts'
import type { World } from './world.ts'

export const disputeListSchema = z.strictObject({ payment_intent: text, limit: z.literal('100') })

/** Newest first. No intent here has a hundred disputes, so there is one page. */
export const listDisputes = (world: World, { payment_intent }: z.output<typeof disputeListSchema>) => ({
  object: 'list',
  url: '/v1/disputes',
  has_more: false,
  data: world.documents.list<Dispute>('dispute', { parent: payment_intent, newestFirst: true }),
})

/** The bank decides the open dispute of a charge; after one that was won the charge can be refunded again. False when none is open. */
export const closeDispute = (world: World, charge: Charge, won: boolean): boolean => {
  const open = world.documents.list<Dispute>('dispute', { parent: charge.payment_intent }).find(({ status }) => status === 'needs_response')
  if (!open) return false
  const closed: Dispute = { ...open, status: won ? 'won' : 'lost' }
  world.documents.replace('dispute', closed.id, closed)
  if (won) world.documents.replace('charge', charge.id, { ...charge, disputed: false })
  world.emit('charge.dispute.closed', closed)
  return true
}
