/** Visitors at the checkout, whose page asks every 15 s whether the offer is still there. */
import { sleep } from 'k6'
import type { Options } from 'k6/options'
import { readOffer, searchPage, verifyOffer } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { SOUND, STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

export const options: Options = {
  scenarios: {
    polling: { executor: 'constant-vus', vus: Number(__ENV.VISITORS || 100), duration: __ENV.DURATION || '2m', gracefulStop: '30s' },
  },
  thresholds: { ...SOUND, 'http_req_duration{name:verify}': ['p(95)<1000'] },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  const [listed] = searchPage(popularSearch())?.offers ?? []
  const offer = listed && readOffer(listed)
  for (let asked = 0; offer && asked < 4; asked++) {
    sleep(15 * (0.9 + 0.2 * Math.random()))
    verifyOffer(offer)
  }
}

export const handleSummary = reportOf('polling')
