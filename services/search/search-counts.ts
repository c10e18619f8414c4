/** How often visitors search and how often the supplier is asked, counted in memory and written in batches; and the orders, written at once. */
import type { Mode } from '@passerelle/contracts/http/common'
import { now } from '@passerelle/kit/runtime'
import type { SearchCount, Store } from './store.ts'

export type SearchCounts = {
  visitor(mode: Mode, key: string, visitors?: number): void
  supplier(mode: Mode, key: string): void
  order(mode: Mode): Promise<void>
  /** Writes what was gathered; what could not be written is kept for the next time. */
  flush(): Promise<void>
}

/** Beyond this many different searches between two writes, new ones are not counted. */
const MOST_KEYS = 20_000

export function createSearchCounts(store: Pick<Store, 'addCounts' | 'addOrder'>): SearchCounts {
  let gathered = new Map<string, SearchCount>()

  const add = (count: SearchCount) => {
    const id = `${count.day}:${count.mode}:${count.key}`
    const known = gathered.get(id)
    if (known) {
      known.visitors += count.visitors
      known.suppliers += count.suppliers
    } else if (gathered.size < MOST_KEYS) gathered.set(id, { ...count })
  }
  const today = () => now().toISOString().slice(0, 10)

  return {
    visitor: (mode, key, visitors = 1) => add({ day: today(), mode, key, visitors, suppliers: 0 }),
    supplier: (mode, key) => add({ day: today(), mode, key, visitors: 0, suppliers: 1 }),
    order: (mode) => store.addOrder(mode, today()),
    async flush() {
      const leaving = gathered
      gathered = new Map()
      try {
        await store.addCounts([...leaving.values()])
      } catch (error) {
        for (const count of leaving.values()) add(count)
        throw error
      }
    },
  }
}
