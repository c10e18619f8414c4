/** Where the knee is: the rate of searches climbs until answers get slow or are refused. The last rate that held is the knee. */
import type { Options } from 'k6/options'
import { searchPage } from './lib/calls.ts'
import { reportOf } from './lib/report.ts'
import { STATISTICS } from './lib/thresholds.ts'
import { popularSearch } from './lib/traffic.ts'

const rates = (__ENV.RATES || '50,100,200,400,600,800,1200,1600').split(',').map(Number)
const stepSeconds = Number(__ENV.STEP_SECONDS || 30)
const stepName = (rate: number) => `at${rate}`

export const options: Options = {
  scenarios: Object.fromEntries(
    rates.map((rate, step) => [
      stepName(rate),
      {
        executor: 'constant-arrival-rate',
        rate,
        timeUnit: '1s',
        duration: `${stepSeconds}s`,
        startTime: `${step * stepSeconds}s`,
        preAllocatedVUs: Math.ceil(rate / 5),
        maxVUs: rate,
        gracefulStop: '5s',
        env: { STEP: stepName(rate) },
      },
    ]),
  ),
  thresholds: {
    http_req_failed: [{ threshold: 'rate<0.2', abortOnFail: true, delayAbortEval: '10s' }],
    ...Object.fromEntries(rates.map((rate) => [`http_req_duration{name:${stepName(rate)}}`, ['max<60000']])),
  },
  summaryTrendStats: [...STATISTICS],
}

export default function visitor(): void {
  searchPage(popularSearch(), 1, 30, __ENV.STEP)
}

export const handleSummary = reportOf('ramp')
