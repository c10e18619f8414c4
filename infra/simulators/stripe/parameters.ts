/** Checks parameters against what an endpoint takes: unknown, missing and malformed ones are refused as Stripe refuses them. */
import { z } from 'zod'
import { invalidParameter, StripeApiError } from './error.ts'

/** A form or query, read by `qs`: `metadata[a]=1`, `expand[0]=x`. */
export type Form = Record<string, unknown>

const isForm = (value: unknown): value is Form => typeof value === 'object' && value !== null && !Array.isArray(value)

export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, { error: ({ input }) => `Invalid integer: ${input}` })
  .transform(Number)
/** Up to 50 pairs. */
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((pairs) => Object.keys(pairs).length <= 50)
  .default({})
export const text = z.string().min(1)

export const readParameters = <S extends z.ZodType>(schema: S, form: Form): z.output<S> => {
  refuseRawCards(form)
  const result = schema.safeParse(form, { reportInput: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const [head, ...rest] = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path
  const name = `${String(head)}${rest.map((part) => `[${String(part)}]`).join('')}`
  if (issue.code === 'unrecognized_keys') throw invalidParameter(`Received unknown parameter: ${name}`, name, 'parameter_unknown')
  if (issue.input === undefined) throw invalidParameter(`Missing required param: ${name}.`, name, 'parameter_missing')
  if (issue.message.startsWith('Invalid integer')) throw invalidParameter(issue.message, name, 'parameter_invalid_integer')
  throw invalidParameter(`Invalid ${name}: ${issue.message}`, name)
}

/** A card number, wherever it stands, is refused before anything else is looked at, and never repeated in the answer. */
const refuseRawCards = (form: Form): void => {
  const data = form.payment_method_data
  const cards = [form.card, isForm(data) ? data.card : undefined]
  if (!cards.some((card) => isForm(card) && ['number', 'cvc', 'exp_month', 'exp_year'].some((part) => card[part] !== undefined))) return
  const message =
    'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing. To enable testing raw card data APIs, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.'
  throw new StripeApiError(402, { type: 'invalid_request_error', message }, true)
}
