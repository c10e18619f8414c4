/**
 * Our offer ids. They are a reversible spelling of the supplier's id that also tells the mode, so an offer can be read again
 * after every cache was lost, and an offer of one mode is recognised in the other without asking anybody.
 */
import type { Mode } from '@passerelle/contracts/http/common'

const PREFIX: Record<Mode, string> = { test: 'oft_', live: 'ofl_' }
const SUPPLIER_ID = /^off_([A-Za-z0-9]{1,100})$/
const OUR_ID = /^of([tl])_([A-Za-z0-9]{1,100})$/

/** `off_0000A` found in test -> `oft_0000A`; null for an id that the supplier never gives. */
export function offerIdOf(supplierId: string, mode: Mode): string | null {
  const match = SUPPLIER_ID.exec(supplierId)
  return match ? PREFIX[mode] + match[1] : null
}

/** The way back; null when the id was never one of ours. */
export function readOfferId(id: string): { mode: Mode; supplierId: string } | null {
  const match = OUR_ID.exec(id)
  return match ? { mode: match[1] === 'l' ? 'live' : 'test', supplierId: `off_${match[2]}` } : null
}
