/** Visitors who read on: every page of a search, which must not repeat an offer, lose one, or change its total. */
import { check } from 'k6'
import type { Options } from 'k6/options'
import { searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, SOUND, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: { paging: arrivals(Number(__ENV.RATE || 5), __ENV.DURATION || '1m', 20) },
  thresholds: { ...SOUND, 'http_req_duration{name:search}': ['p(95)<15000'] },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  const search = popularSearch()
  const limit = Math.random() < 0.5 ? 30 : 100
  const first = searchPage(search, 1, limit)
  if (!first) return
  const ids = first.offers.map(({ id }) => id)
  for (let page = 2; page <= Math.ceil(first.total_count / limit); page++) {
    const next = searchPage(search, page, limit)
    if (!next || next.search_id !== first.search_id) return
    check(next, { 'the total stays': ({ total_count }) => total_count === first.total_count })
    ids.push(...next.offers.map(({ id }) => id))
  }
  check(ids, { 'every offer once': (all) => new Set(all).size === all.length && all.length === first.total_count })
}

export const handleSummary = reportOf('paging')
