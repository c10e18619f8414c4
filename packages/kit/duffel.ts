/**
 * The client of the flight supplier, set up once for search and booking. It has neither deadline nor retry, its errors carry no message,
 * and a call cannot be aborted: whoever uses it bounds each call.
 */
import { Duffel, DuffelError } from '@duffel/api'

export { DuffelError }
export type DuffelClient = Duffel

export function createDuffel(token: string, url: string | undefined): DuffelClient {
  return new Duffel({ token, source: 'passerelle', ...(url && { basePath: url }) })
}

type Failure = { status?: number; meta?: { status?: number }; errors?: { code?: unknown }[] }

/** HTTP status of a supplier error; 500 when it does not say. */
export function duffelStatus({ status, meta }: Failure): number {
  return status ?? meta?.status ?? 500
}

export function duffelCodes({ errors }: Failure): string[] {
  return (errors ?? []).map(({ code }) => String(code))
}
