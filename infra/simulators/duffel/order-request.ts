/** What an order must look like; what it says is not yet held against the offer. */
import { z } from 'zod'
import { text, textOf } from './body.ts'

const matching = (pattern: RegExp, code: string, message: string) => textOf((value) => pattern.test(value), code, message)

/** ASCII, Latin-1 Supplement and Latin Extended-A letters without Æ æ Ĳ ĳ Œ œ Þ ð, with space, hyphen and apostrophe. */
const name = text.max(20).regex(/^(?:(?![ÆæĲĳŒœÞð×÷])[A-Za-z\u00C0-\u017F '-])*$/)

const Passport = z.strictObject({
  type: text,
  unique_identifier: text.regex(/^[A-Za-z0-9]{4,20}$/),
  issuing_country_code: text.regex(/^[A-Z]{2}$/),
  expires_on: z.iso.date(),
})

const LoyaltyAccount = z.strictObject({
  airline_iata_code: text.regex(/^[A-Z0-9]{2}$/),
  account_number: text.max(30).regex(/^[A-Za-z0-9]+$/),
})

const Passenger = z.strictObject({
  id: text,
  title: matching(/^(mr|ms|mrs|miss|dr)$/, 'invalid_passenger_title', 'Must be one of mr, ms, mrs, miss, dr'),
  gender: z.enum(['m', 'f']),
  given_name: name,
  family_name: name,
  born_on: z.iso.date(),
  email: matching(/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/, 'invalid_email_address', 'Not an e-mail address'),
  phone_number: matching(/^\+[1-9]\d{6,14}$/, 'invalid_phone_number', 'Not in the E.164 form'),
  infant_passenger_id: text.optional(),
  identity_documents: z.array(Passport).max(1).default([]),
  loyalty_programme_accounts: z
    .array(LoyaltyAccount)
    .check(({ value, issues }) => {
      const codes = value.map((one) => one.airline_iata_code)
      for (const [at, code] of codes.entries())
        if (codes.indexOf(code) < at)
          issues.push({
            code: 'custom',
            path: [at],
            params: { code: 'validation_unique' },
            message: 'An airline is there twice',
            input: value,
          })
    })
    .default([]),
})
export type OrderPassenger = z.output<typeof Passenger>

export const OrderRequest = z.strictObject({
  type: z.literal('instant'),
  selected_offers: z.tuple([text]),
  passengers: z
    .array(Passenger)
    .min(1)
    .max(9)
    .check(({ value, issues }) => {
      const refuse = (at: number, code: string, message: string) =>
        issues.push({ code: 'custom', path: [at], params: { code }, message, input: value })
      const names = value.map((one) => `${one.given_name} ${one.family_name}`.toLowerCase())
      for (const [at, { id }] of value.entries()) {
        if (value.findIndex((one) => one.id === id) < at) refuse(at, 'validation_unique', 'A passenger is there twice')
        if (names.indexOf(names[at]!) < at) refuse(at, 'duplicate_passenger_name', 'Two passengers have the same name')
      }
    }),
  services: z.array(z.strictObject({ id: text, quantity: z.int().positive() })).default([]),
  payments: z.tuple([z.strictObject({ type: z.literal('balance'), amount: text.regex(/^\d+(\.\d+)?$/), currency: text })]),
  metadata: z
    .record(z.string().max(40), z.string().max(500))
    .refine((pairs) => Object.keys(pairs).length <= 50, { params: { code: 'validation_length' }, message: 'At most 50 items' })
    .default({}),
})
export type OrderRequest = z.output<typeof OrderRequest>
