import { expect, test } from 'vitest'
import { traceStore } from './traces.ts'

const span = (traceId: string, spanId: string, parentSpanId: string, from: number, to: number, code = 0) => ({
  traceId,
  spanId,
  parentSpanId,
  name: spanId,
  startTimeUnixNano: `${from}000000`,
  endTimeUnixNano: `${to}000000`,
  status: { code },
  attributes: [{ key: 'http.route', value: { stringValue: '/x' } }],
})
const from = (service: string, ...spans: ReturnType<typeof span>[]) => ({
  resourceSpans: [{ resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] }, scopeSpans: [{ spans }] }],
})

test('spans of several services become one trace, in the order of its tree', () => {
  const store = traceStore()
  store.add(from('booking', span('t1', 'below', 'root', 2, 5, 2)))
  store.add(from('gateway', span('t1', 'root', '', 1, 9), span('t1', 'later', 'root', 6, 7)))
  expect(store.spans('t1').map(({ spanId }) => spanId)).toEqual(['root', 'below', 'later'])
  expect(store.list()).toEqual([
    { traceId: 't1', name: 'root', startMs: 1, ms: 8, spans: 3, services: ['booking', 'gateway'], isError: true, unlinked: 0 },
  ])
  expect(store.spans('t1')[0]?.attributes).toEqual({ 'http.route': '/x' })
})

test('a span whose parent never came is counted as not linked', () => {
  const store = traceStore()
  store.add(from('gateway', span('t1', 'a', 'lost', 1, 2)))
  expect(store.list()[0]?.unlinked).toBe(1)
})

test('only the newest traces are kept', () => {
  const store = traceStore(2)
  for (const [i, id] of ['t1', 't2', 't3'].entries()) store.add(from('gateway', span(id, 'a', '', i, i + 1)))
  expect(store.list().map(({ traceId }) => traceId)).toEqual(['t3', 't2'])
})
