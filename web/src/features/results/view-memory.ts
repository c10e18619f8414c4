/** Filters and sort order of a search stay as they were on the way back from an offer. */
import { useState } from 'react'
import { type Filters, NO_FILTERS } from './model/filters.ts'
import type { Sort } from './model/sorting.ts'

export type View = { filters: Filters; sort: Sort; filtersOpen: boolean }

const FRESH: View = { filters: NO_FILTERS, sort: 'price-asc', filtersOpen: true }
const remembered = new Map<string, View>()

export function useView(searchKey: string): [View, (change: Partial<View>) => void] {
  const [views, setViews] = useState<Record<string, View>>({})
  const view = views[searchKey] ?? remembered.get(searchKey) ?? FRESH
  return [
    view,
    (change) => {
      const next = { ...view, ...change }
      remembered.set(searchKey, next)
      setViews((before) => ({ ...before, [searchKey]: next }))
    },
  ]
}
