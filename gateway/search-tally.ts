/** Searches that were answered here: the search service, which weighs them against its calls of the supplier, gets them in batches. */

import type { Mode } from '@passerelle/contracts/http/common'
import type { searchApi } from '@passerelle/contracts/http/search'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { systemCaller } from '@passerelle/kit/auth'
import type { Peer } from '@passerelle/kit/peer'
import { randomId } from '@passerelle/kit/runtime'

export type SearchTally = {
  add(mode: Mode, searchKey: string, visitors: number): void
  /** Sends what was counted; what could not be sent is kept for the next time. @throws the service's error */
  flush(): Promise<void>
}

/** More different searches than this between two batches are not counted one by one any more. */
const MOST_KEYS = 10_000
const BATCH = 500

export function searchTally(search: Peer<typeof searchApi>): SearchTally {
  const counted: Record<Mode, Map<string, number>> = { test: new Map(), live: new Map() }

  const add = (mode: Mode, searchKey: string, visitors: number) => {
    const counts = counted[mode]
    const known = counts.get(searchKey)
    if (known !== undefined || counts.size < MOST_KEYS) counts.set(searchKey, (known ?? 0) + visitors)
  }
  const send = async (mode: Mode) => {
    while (counted[mode].size > 0) {
      const batch = [...counted[mode]].slice(0, BATCH).map(([key, visitors]) => ({ key, visitors }))
      for (const { key } of batch) counted[mode].delete(key)
      try {
        const caller = systemCaller('gateway', { brand: DEFAULT_BRAND_KEY, mode, requestId: randomId() })
        await search(caller).countSearches({ body: { searches: batch } })
      } catch (error) {
        for (const { key, visitors } of batch) add(mode, key, visitors)
        throw error
      }
    }
  }
  return {
    add,
    async flush() {
      await send('test')
      await send('live')
    },
  }
}
