/** Addresses of public reads that may be kept, parsed by their contracts: the same question has one key, however it is spelt. */
import { isNarrowed, type OfferView } from '@passerelle/contracts/http/offer-view'
import type { Contract, Route } from '@passerelle/contracts/route'
import { type SearchCriteria, searchKey } from '@passerelle/contracts/rules/search'
import type { z } from 'zod'

export type PublicRead = {
  /** Name of the row. */
  name: string
  route: Route
  /** What is asked for, whatever the order and spelling of the query. */
  key: string
  /** Where reading it counts as a visitor's search: which one. */
  searchKey: string | undefined
}

type PublicReads = {
  /** Whether an address can be one, without parsing it. */
  may(url: string): boolean
  /** undefined: it is none, or a service has to say what is wrong with it. */
  parse(url: string): PublicRead | undefined
}

export function publicReads(contracts: readonly Contract[]): PublicReads {
  const rows = contracts
    .flatMap(({ routes }) => Object.entries(routes))
    .filter(([, { method, access, cacheSeconds }]) => method === 'GET' && access === 'public' && cacheSeconds !== undefined)
    .map(([name, route]) => ({
      name,
      route,
      prefix: route.path.split(':')[0] as string,
      pattern: new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[\\w.-]+)')}$`),
    }))
  return {
    may: (url) => rows.some(({ prefix }) => url.startsWith(prefix)),
    parse(url) {
      const address = URL.parse(url, 'http://localhost')
      for (const { name, route, pattern } of rows) {
        const path = address && pattern.exec(address.pathname)
        if (!path) continue
        const given = [...address.searchParams]
        const query = Object.fromEntries(given)
        // A brand or preview in the address is another brand; a name given twice is refused by the service.
        if ('brand' in query || 'preview' in query || given.length !== Object.keys(query).length) return undefined
        const params = parsed(route.params, { ...path.groups })
        const wishes = parsed(route.query, query)
        if (!params || !wishes) return undefined
        return { name, route, key: `${name} ${stableText(params)} ${stableText(wishes)}`, searchKey: searchOf(name, wishes) }
      }
      return undefined
    },
  }
}

function parsed(schema: z.ZodType | undefined, value: object): object | undefined {
  if (!schema) return {}
  const result = schema.safeParse(value)
  return result.success ? (result.data as object) : undefined
}

const stableText = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Reading the first page is a search; further pages belong to it. */
function searchOf(name: string, wishes: object): string | undefined {
  if (name !== 'search') return undefined
  const search = wishes as SearchCriteria & OfferView & { page?: number }
  return search.page === 1 && !isNarrowed(search) ? searchKey(search) : undefined
}
