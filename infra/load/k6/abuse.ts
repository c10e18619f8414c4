/** One address that asks for more than it may: it is refused with 429 and Retry-After. Run it where the limits are not lifted. */
import type { Options } from 'k6/options'
import { searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: { abuse: arrivals(Number(__ENV.RATE || 30), __ENV.DURATION || '1m', 10) },
  thresholds: {
    checks: ['rate>0.999'],
    'requests_shed{status:429}': ['count>0'],
    'http_req_duration{name:search}': ['p(95)<15000'],
  },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  searchPage(popularSearch())
}

export const handleSummary = reportOf('abuse')
