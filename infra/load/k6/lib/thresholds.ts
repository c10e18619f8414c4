/** What every scenario must hold, so that a run that breaks it fails. Milliseconds, for a system with its suppliers' stand-ins on one machine. */

const endEarly = (threshold: string) => ({ threshold, abortOnFail: true, delayAbortEval: '30s' })

/** No request lost, none left out because the load generator could not keep up. */
export const SOUND = {
  http_req_failed: [endEarly('rate<0.001')],
  checks: [endEarly('rate>0.999')],
  dropped_iterations: ['count==0'],
  offer_price_mismatch: ['count==0'],
}

export const FAST = {
  'http_req_duration{name:search}': ['p(95)<250', 'p(99)<1000'],
  'http_req_duration{name:offer}': ['p(95)<800', 'p(99)<2000'],
}

/** Percentiles of the summary and of its file. */
export const STATISTICS = ['min', 'med', 'avg', 'p(95)', 'p(99)', 'max', 'count'] as const

/** An arrival rate that does not slow down when answers do: requests per second, and enough visitors for answers of `longestS` seconds. */
export function arrivals(rate: number, duration: string, longestS = 2) {
  return {
    executor: 'constant-arrival-rate' as const,
    rate,
    timeUnit: '1s',
    duration,
    preAllocatedVUs: Math.max(10, rate),
    maxVUs: Math.max(20, Math.ceil(rate * longestS)),
  }
}

/** An arrival rate that rises from one to another: caches are filled as fast as the suppliers answer, not faster. */
export function rising(from: number, to: number, duration: string) {
  return {
    executor: 'ramping-arrival-rate' as const,
    startRate: from,
    timeUnit: '1s',
    stages: [{ target: to, duration }],
    preAllocatedVUs: to,
    maxVUs: to * 5,
  }
}
