/** The orders that a visitor can choose, in words; the server sorts. */
import type { Sort } from '@passerelle/contracts/rules/offer-filters'

export type { Sort }
export const SORTS = [
  ['price-asc', 'Lowest price'],
  ['price-desc', 'Highest price'],
  ['duration-asc', 'Shortest duration'],
  ['emissions-asc', 'Lowest CO₂ estimate'],
] as const satisfies readonly (readonly [Sort, string])[]

/** Chosen by the tabs above the list. */
export const BEST = ['best', 'Best'] as const satisfies readonly [Sort, string]
