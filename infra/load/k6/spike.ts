/** Ten times the usual visitors for half a minute: what is too much is refused with 429 or 503, and 10 s later all is as before. */
import type { Options } from 'k6/options'
import { searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { arrivals, STATISTICS } from './lib/thresholds.ts'
import { anySearch, popularSearch } from './lib/traffic.ts'

const rate = Number(__ENV.RATE || 50)

export const options: Options = {
  scenarios: {
    before: { ...arrivals(rate, '30s'), env: { PHASE: 'before' } },
    spike: { ...arrivals(rate * 10, '30s', 4), startTime: '30s', gracefulStop: '10s', env: { PHASE: 'spike' } },
    after: { ...arrivals(rate, '30s'), startTime: '70s', env: { PHASE: 'after' } },
  },
  thresholds: {
    // A refusal is an answer: only what is neither an answer nor a refusal breaks a check.
    checks: ['rate>0.999'],
    'requests_shed{scenario:after}': ['count==0'],
    'dropped_iterations{scenario:after}': ['count==0'],
    'http_req_duration{name:before}': ['p(95)<1000'],
    'http_req_duration{name:spike}': ['max<60000'],
    'http_req_duration{name:after}': ['p(95)<1000'],
  },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  searchPage(Math.random() < 0.8 ? popularSearch() : anySearch(), 1, 30, __ENV.PHASE)
}

export const handleSummary = reportOf('spike')
