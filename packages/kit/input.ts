/** What a request says, read by the schemas of its route. */
import { validationError } from '@passerelle/contracts/error'
import type { Route, RouteInput } from '@passerelle/contracts/route'
import type { Request } from 'express'
import { LRUCache } from 'lru-cache'

const MOST_INPUTS = 1000

/** Public reads are asked for again and again: what an address says is read once. */
export function inputReader(route: Route): (request: Request) => RouteInput<Route> {
  if (route.method !== 'GET' || !route.cacheSeconds) return (request) => parseInput(route, request)
  const known = new LRUCache<string, RouteInput<Route>>({ max: MOST_INPUTS })
  return (request) => {
    const again = known.get(request.originalUrl)
    if (again) return again
    const input = frozen(parseInput(route, request))
    known.set(request.originalUrl, input)
    return input
  }
}

/** Shared by requests, so nobody may change it. */
function frozen<T extends object>(input: T): T {
  for (const part of Object.values(input)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(input)
}

export function parseInput(route: Route, request: Request): RouteInput<Route> {
  const part = (schema: Route['body'], value: unknown) => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (!parsed.success) throw validationError(parsed.error.issues)
    return parsed.data
  }
  return {
    params: part(route.params, { ...request.params }),
    query: part(route.query, { ...request.query }),
    body: part(route.body, request.body),
  } as RouteInput<Route>
}
