/**
 * Named cases: what a test or a demonstration asks the supplier to do next. POST `/_sim/cases` with
 * `{ case, offerId?, route?, times?, skip?, ...its own parts }`; `{ case: 'list' }` shows those that wait, `{ case: 'clear' }` drops them.
 */
import { z } from 'zod'
import { ControlRefusal } from '../control.ts'
import type { State } from './state.ts'

const names = [
  'price-change',
  'seat-taken',
  'offer-gone',
  'offer-expired',
  'no-offers',
  'order-202',
  'order-timeout-after-commit',
  'order-reset-after-commit',
  'order-500-after-commit',
  'order-502-not-created',
  'order-502-unknown',
  'order-503',
  'insufficient-balance',
  'cancel-refused',
  'cancel-stale',
  'cancel-timeout-after-commit',
  'refund-unknown',
  'refund-figures',
] as const
export type CaseName = (typeof names)[number]

const shortText = z.string().min(1).max(40).optional()
const Case = z.strictObject({
  case: z.enum(names),
  offerId: z.string().startsWith('off_').optional(),
  /** The first slice of the search. */
  route: z
    .string()
    .regex(/^[A-Z]{3}-[A-Z]{3}$/)
    .optional(),
  /** How often it still strikes. */
  times: z.int().min(1).default(1),
  /** How many matching requests it lets pass first. */
  skip: z.int().min(0).default(0),
  amount: z
    .string()
    .regex(/^-?\d+(\.\d{1,2})?$/)
    .optional(),
  at: z.enum(['read', 'order']).optional(),
  designator: z
    .string()
    .regex(/^\d{1,2}[A-Z]$/)
    .optional(),
  as: z.enum(['error', 'payload']).optional(),
  appearsAfterSeconds: z.int().min(0).optional(),
  /** Said instead of the real refund; any text, so that a figure that nobody can read may be said too. */
  refundAmount: shortText,
  refundCurrency: shortText,
  refundTo: shortText,
})
export type Case = z.output<typeof Case>

export type Occasion = { route: string; offerId?: string; at?: 'read' | 'order' }
export type Cases = ReturnType<typeof openCases>

/** Waiting cases are kept with the rest of the state, so they survive a restart. */
export const openCases = ({ documents }: State) => {
  let waiting: Case[] = JSON.parse(documents.setting('cases') ?? '[]')
  const keep = (next: Case[]) => {
    waiting = next
    documents.setSetting('cases', JSON.stringify(next))
  }
  const fits = (one: Case, wanted: CaseName[], occasion: Occasion) =>
    wanted.includes(one.case) &&
    (one.offerId === undefined || one.offerId === occasion.offerId) &&
    (one.route === undefined || one.route === occasion.route) &&
    (one.at === undefined || one.at === occasion.at)
  const change = (one: Case, to: Case[]) => keep(waiting.flatMap((each) => (each === one ? to : [each])))
  return {
    /** Uses up and returns the first waiting case of these names that fits. */
    take: (wanted: CaseName[], occasion: Occasion): Case | undefined => {
      for (const one of waiting.filter((each) => fits(each, wanted, occasion))) {
        if (one.skip > 0) {
          change(one, [{ ...one, skip: one.skip - 1 }])
          continue
        }
        change(one, one.times > 1 ? [{ ...one, times: one.times - 1 }] : [])
        return one
      }
      return undefined
    },
    add: (one: Case) => keep([...waiting, one]),
    list: () => waiting,
    clear: () => keep([]),
  }
}

/** @throws ControlRefusal for a name or a part that does not exist. */
export const readCase = (body: unknown): Case => {
  const result = Case.safeParse(body)
  if (!result.success) throw new ControlRefusal(z.prettifyError(result.error))
  return result.data
}
