/** For integration tests: this service on its servers, in front of the flight supplier's simulator. */
import { client } from '@passerelle/contracts/client'
import type { ErrorBody } from '@passerelle/contracts/error'
import { type FlightOffer, type SearchResults, type SeatMap, searchApi } from '@passerelle/contracts/http/search'
import type { Caller } from '@passerelle/kit/auth'
import type { Environment } from '@passerelle/kit/configuration'
import { createLog } from '@passerelle/kit/log'
import { type RunningService, start } from '@passerelle/kit/service'
import { createTestKeys } from '@passerelle/kit/testing'
import { type TestServers, testServers } from '@passerelle/servers/test/test-servers'
import { startDuffelSimulator } from '@passerelle/simulators/duffel/server'
import { search } from './service.ts'

type Ledger = { searches: unknown[]; counts: Record<string, number> }

export type Answer<T> = { status: number; body: T & Partial<ErrorBody>; header(name: string): string | null }

export type Bench = Awaited<ReturnType<typeof startSearchBench>>

/** @param environment settings of the service besides its servers. */
export async function startSearchBench(environment: Environment = {}, simulatorOptions: Parameters<typeof startDuffelSimulator>[0] = {}) {
  const servers: TestServers = await testServers()
  const simulator = await startDuffelSimulator(simulatorOptions)
  const keys = await createTestKeys()
  const running: RunningService[] = []

  const replica = async (more: Environment = {}): Promise<RunningService> => {
    const service = await start(
      search,
      {
        ...servers.environment,
        ...keys.environment('search'),
        LOG_LEVEL: 'silent',
        RATE_LIMIT_FACTOR: '1000',
        DUFFEL_TEST_TOKEN: 'duffel_test_simulator',
        DUFFEL_TEST_URL: simulator.url,
        ...environment,
        ...more,
      },
      { log: createLog('search', 'silent') },
    )
    running.push(service)
    return service
  }
  const service = await replica()

  const control = async <T = unknown>(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<T> => {
    const answer = await fetch(`${simulator.url}/_sim/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }

  const ask = async <T>(
    path: string,
    options: { at?: RunningService; caller?: Partial<Caller>; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answer<T>> => {
    const response = await fetch((options.at ?? service).url + path, {
      method: options.body === undefined ? 'GET' : 'POST',
      headers: {
        ...(await keys.headers('search', { ...(path.startsWith('/internal/') && { actor: 'booking' }), ...options.caller })),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    })
    return {
      status: response.status,
      body: (await response.json()) as T & Partial<ErrorBody>,
      header: (name) => response.headers.get(name),
    }
  }

  const find = (query: Record<string, string | number>, options: Parameters<typeof ask>[1] = {}) =>
    ask<SearchResults>(
      `/api/flights/search?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`,
      options,
    )
  const ledger = () => control<Ledger>('ledger')

  return {
    servers,
    simulator,
    service,
    replica,
    ask,
    control,
    fault: (effect: string, path: string, more: Record<string, unknown> = {}) => control('faults', { match: { path }, effect, ...more }),
    ledger,
    counts: async () => (await ledger()).counts,
    find,
    /** An offer of the airline, or the first of all, of flights that nobody has looked for. Duffel Airways, ZZ, always has seats. */
    async anOffer(more: Record<string, string | number> = {}, airline?: string) {
      const { body } = await find({ origin: 'CDG', destination: 'LIS', departureDate: anotherDay(), limit: 100, ...more })
      const offer = body.offers.find((one) => !airline || one.owner.iata_code === airline)
      if (!offer) throw new Error('no such offer')
      return offer
    },
    seatMaps: (id: string) => ask<{ data: SeatMap[] }>(`/api/flights/seatmaps/${id}`),
    offer: (id: string, caller?: Partial<Caller>) => ask<FlightOffer>(`/api/flights/offer/${id}`, { caller }),
    /** The typed client, with the caller that payment and booking pass on. */
    calls: (caller: Partial<Caller> = {}) =>
      client(searchApi, { baseUrl: service.url, headers: () => keys.headers('search', { actor: 'booking', ...caller }) }),
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
      await simulator.stop()
      await servers.stop()
    },
  }
}

export const supplierIdOf = (offerId: string) => offerId.replace('oft_', 'off_')

let days = 30

/** A day that no test of this file has asked for, so that nothing of it is cached. */
export function anotherDay(): string {
  days += 1
  return dayAfter(days)
}

export function dayAfter(count: number): string {
  return new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10)
}
