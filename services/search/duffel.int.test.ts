import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSuppliers, DuffelConfig } from './duffel.ts'

const asked: URL[] = []
const server = createServer((request, response) => {
  asked.push(new URL(request.url ?? '', 'http://supplier.example'))
  response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"offers":[]}}')
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const search = {
  slices: [{ origin: 'CDG', destination: 'LIS', departure_date: '2027-03-04' }],
  passengers: [{ type: 'adult' as const }],
  cabin_class: 'economy' as const,
}

it.each([
  ['as long as is set', undefined, '15000'],
  ['less when the answer is of use for less time', 9000, '7000'],
  ['never less than it can be told', 3000, '2000'],
])('the supplier waits for airlines %s', async (_, withinMs, supplierTimeout) => {
  const DUFFEL_TEST_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = DuffelConfig.parse({ DUFFEL_TEST_TOKEN: 'duffel_test_x', DUFFEL_TEST_URL })
  const supplier = createSuppliers(config, createMetrics('search'), createLog('search', 'silent'))('test')
  expect(await supplier.search(search, withinMs === undefined ? {} : { withinMs })).toEqual([])
  const { searchParams } = asked.at(-1) as URL
  expect(Object.fromEntries(searchParams)).toEqual({ return_offers: 'true', supplier_timeout: supplierTimeout })
})
