/** Searches that no cache has: what one costs, and that a supplier with few places refuses clearly instead of hanging. */
import type { Options } from 'k6/options'
import { searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, STATISTICS } from './lib/thresholds.ts'
import { anySearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: { cold: arrivals(Number(__ENV.RATE || 3), __ENV.DURATION || '2m', 40) },
  thresholds: { checks: ['rate>0.999'], 'http_req_duration{name:cold}': ['p(95)<15000', 'max<45000'] },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  searchPage(anySearch(), 1, 30, 'cold')
}

export const handleSummary = reportOf('cold')
