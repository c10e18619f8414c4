/** Shapes that several owners' calls share. */
import { z } from 'zod'
import { LINK_TOKEN } from '../rules/link-token.ts'

export const Mode = z.enum(['test', 'live'])
export type Mode = z.infer<typeof Mode>

/** ISO 4217, upper case. */
export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/)
export type CurrencyCode = z.infer<typeof CurrencyCode>

/** A decimal string such as "222.50"; never a float. */
export const Amount = z.string().regex(/^\d+(\.\d+)?$/)
export type Amount = z.infer<typeof Amount>

export const Money = z.object({ amount: Amount, currency: CurrencyCode })
export type Money = z.infer<typeof Money>

export const CabinClass = z.enum(['economy', 'premium_economy', 'business', 'first'])
export type CabinClass = z.infer<typeof CabinClass>

export const PassengerType = z.enum(['adult', 'child', 'infant_without_seat'])
export type PassengerType = z.infer<typeof PassengerType>

/** Ids travel in addresses: letters, digits, underscore and hyphen only. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,120}$/, 'This id is not valid')
export const ById = z.object({ id: Id })
export type Id = z.infer<typeof Id>
export type ById = z.infer<typeof ById>

/** The secret in the link of a mail. */
export const LinkToken = z.string().min(LINK_TOKEN.min).max(LINK_TOKEN.max)

export const Done = z.object({ success: z.boolean(), message: z.string() })
export const Empty = z.object({})
export type Done = z.infer<typeof Done>
export type Empty = z.infer<typeof Empty>
