import { expect, test, vi } from 'vitest'

// What k6 gives its scripts, so that they can be read without it.
vi.stubGlobal('__ENV', {})
vi.mock('k6', () => ({ check: () => true, fail: () => undefined, sleep: () => undefined }))
vi.mock('k6/http', () => ({ default: {}, expectedStatuses: () => undefined, setResponseCallback: () => undefined }))
vi.mock('k6/data', () => ({
  SharedArray: function airports() {
    return ['CDG', 'JFK', 'LIS']
  },
}))
vi.mock('k6/metrics', () => ({ Counter: class {}, Rate: class {} }))

type Scenario = { options: { thresholds: Record<string, unknown[]>; scenarios: Record<string, unknown> } }

test.each([
  ['cold', ['cold'], ['checks', 'http_req_duration{name:cold}']],
  [
    'steady',
    ['warming', 'steady'],
    ['http_req_failed', 'http_req_duration{name:warming}', 'http_req_duration{name:search}', 'search_cache_hits{scenario:steady}'],
  ],
])('EVT-15: the load scenario %s fails when its searches are too slow or go wrong', async (name, scenarios, metrics) => {
  const { options } = (await import(`./k6/${name}.ts`)) as Scenario
  expect(Object.keys(options.scenarios)).toEqual(scenarios)
  for (const metric of metrics) expect(options.thresholds[metric], metric).not.toHaveLength(0)
  expect(Object.keys(options.thresholds)).toEqual(expect.arrayContaining(metrics))
})
