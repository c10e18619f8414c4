/** For which brands a caller is an administrator. The rights travel in the gateway's token; screens only follow them. */
import type { ErrorCode } from '@passerelle/contracts/error'
import { AppError } from '@passerelle/contracts/error'
import type { Caller } from './auth.ts'

type Rights = Pick<Caller, 'isAdmin' | 'staffOf'>

/** Keys of the brands that the caller looks after; null: all. */
export const brandsOf = ({ isAdmin, staffOf }: Rights): readonly string[] | null => (isAdmin ? null : staffOf)

export function looksAfter(caller: Rights, brandKey: string): boolean {
  const brands = brandsOf(caller)
  return brands === null || brands.includes(brandKey)
}

/** The brands to look in: those of the caller, of which one may be asked for. */
export function brandsAskedFor(caller: Rights, brandKey: string | undefined): readonly string[] | null {
  if (brandKey === undefined) return brandsOf(caller)
  return looksAfter(caller, brandKey) ? [brandKey] : []
}

/** What belongs to another brand is answered as what does not exist. @throws AppError `missing` */
export function requireBrand(caller: Rights, brandKey: string, missing: ErrorCode): void {
  if (!looksAfter(caller, brandKey)) throw new AppError(missing)
}
