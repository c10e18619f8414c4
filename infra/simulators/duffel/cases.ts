/**
 * Named cases: what a test or a demonstration asks the supplier to do next. POST `/_sim/cases` with
 * `{ case, offerId?, route?, times?, skip?, ...its own parts }`; `{ case: 'list' }` shows those that wait, `{ case: 'clear' }` drops them.
 */
import { ControlRefusal } from '../control.ts'
import type { State } from './state.ts'

/** What each case may be told besides offerId, route, times and skip. */
const caseParts = {
  'price-change': ['amount', 'at'],
  'seat-taken': ['designator', 'segment'],
  'offer-gone': ['at'],
  'offer-expired': ['at', 'as'],
  'no-offers': [],
  'search-timeout': [],
  'no-seat-maps': [],
  'order-202': ['appearsAfterSeconds'],
  'order-timeout-after-commit': ['appearsAfterSeconds'],
  'order-reset-after-commit': ['appearsAfterSeconds'],
  'order-500-after-commit': ['appearsAfterSeconds'],
  'order-timeout': [],
  'order-502-not-created': [],
  'order-502-unknown': [],
  'order-503': [],
  'insufficient-balance': [],
  'schedule-change': ['orderId'],
  'cancel-refused': [],
  'cancel-stale': [],
  'cancel-timeout-after-commit': [],
  'refund-unknown': [],
  'refund-figures': ['refundAmount', 'refundCurrency', 'refundTo'],
} as const

export type CaseName = keyof typeof caseParts

export type Case = {
  id: number
  case: CaseName
  offerId?: string
  /** `CDG-JFK`: the first slice of the search. */
  route?: string
  /** How often it still strikes. */
  times: number
  /** How many matching requests it lets pass first. */
  skip: number
  amount?: string
  at?: 'read' | 'order'
  designator?: string
  segment?: number
  as?: 'error' | 'payload'
  /** null: the order never comes to be. */
  appearsAfterSeconds?: number | null
  orderId?: string
  /** Said instead of the real refund; any text, so that a figure that nobody can read may be said too. */
  refundAmount?: string
  refundCurrency?: string
  refundTo?: string
}

export type Occasion = { route: string; offerId?: string; at?: 'read' | 'order' }

export type Cases = {
  /** Uses up and returns the first waiting case of these names that fits. */
  take(names: CaseName[], occasion: Occasion): Case | undefined
  add(one: Case): void
  list(): Case[]
  clear(): void
}

/** Waiting cases are kept with the rest of the state, so they survive a restart. */
export const openCases = (state: State): Cases => {
  let waiting: Case[] = JSON.parse(state.getMeta('cases') ?? '[]')
  const keep = (next: Case[]) => {
    waiting = next
    state.setMeta('cases', JSON.stringify(next))
  }
  const fits = (one: Case, names: CaseName[], occasion: Occasion) =>
    names.includes(one.case) &&
    (one.offerId === undefined || one.offerId === occasion.offerId) &&
    (one.route === undefined || one.route === occasion.route) &&
    (one.at === undefined || one.at === occasion.at)
  return {
    take: (names, occasion) => {
      for (const one of waiting.filter((each) => fits(each, names, occasion))) {
        if (one.skip > 0) {
          keep(waiting.map((each) => (each === one ? { ...one, skip: one.skip - 1 } : each)))
          continue
        }
        keep(
          one.times > 1
            ? waiting.map((each) => (each === one ? { ...one, times: one.times - 1 } : each))
            : waiting.filter((each) => each !== one),
        )
        return one
      }
      return undefined
    },
    add: (one) => keep([...waiting, one]),
    list: () => waiting,
    clear: () => keep([]),
  }
}

const refuse = (message: string): never => {
  throw new ControlRefusal(message)
}

/** @throws ControlRefusal for a name or a part that does not exist. */
export const readCase = (body: unknown, id: number): Case => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('send a JSON object')
  const fields = body as Record<string, unknown>
  const name = fields.case as CaseName
  if (typeof name !== 'string' || !Object.hasOwn(caseParts, name)) return refuse(`case is one of ${Object.keys(caseParts).join(', ')}`)
  const known: readonly string[] = ['case', 'offerId', 'route', 'times', 'skip', ...caseParts[name]]
  const strange = Object.keys(fields).filter((key) => !known.includes(key))
  if (strange.length > 0) refuse(`unknown: ${strange.join(', ')}; ${name} takes ${known.slice(1).join(', ')}`)
  const isText = (value: unknown, shape: RegExp) => value === undefined || (typeof value === 'string' && shape.test(value))
  const isWhole = (value: unknown, least: number) => value === undefined || (Number.isInteger(value) && (value as number) >= least)
  if (!isText(fields.offerId, /^off_/)) refuse('offerId is an id of an offer')
  if (!isText(fields.orderId, /^ord_/)) refuse('orderId is an id of an order')
  if (!isText(fields.route, /^[A-Z]{3}-[A-Z]{3}$/)) refuse('route has the form CDG-JFK')
  if (!isText(fields.amount, /^-?\d+(\.\d{1,2})?$/)) refuse('amount is a decimal such as "10.00" or "-5.00"')
  if (!isText(fields.designator, /^\d{1,2}[A-Z]$/)) refuse('designator has the form 12A')
  for (const part of ['refundAmount', 'refundCurrency', 'refundTo'])
    if (!isText(fields[part], /^.{1,40}$/)) refuse(`${part} is a short text`)
  if (!isText(fields.at, /^(read|order)$/)) refuse('at is read or order')
  if (!isText(fields.as, /^(error|payload)$/)) refuse('as is error or payload')
  if (!isWhole(fields.times, 1)) refuse('times is a whole number from 1')
  if (!isWhole(fields.skip, 0) || !isWhole(fields.segment, 0)) refuse('skip and segment are whole numbers from 0')
  if (fields.appearsAfterSeconds !== null && !isWhole(fields.appearsAfterSeconds, 0))
    refuse('appearsAfterSeconds is a whole number of seconds, or null for never')
  return {
    ...(fields as Omit<Case, 'id' | 'times' | 'skip'>),
    id,
    times: (fields.times as number) ?? 1,
    skip: (fields.skip as number) ?? 0,
  }
}
