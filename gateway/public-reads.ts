/** What may be answered from memory: public reads, parsed by their contracts so that one question has one key however it is spelt, and pages. */
import { isNarrowed, type OfferView } from '@passerelle/contracts/http/offer-view'
import type { Contract, Route } from '@passerelle/contracts/route'
import { CARD_FIELDS_PATH } from '@passerelle/contracts/rules/card-fields'
import { type SearchCriteria, searchKey } from '@passerelle/contracts/rules/search'
import type { z } from 'zod'

export type PublicRead = {
  /** Name of the row, or `page`. */
  name: string
  /** Absent for pages, which have no limits. */
  route?: Route
  /** What is asked for, whatever the order and spelling of the query. */
  key: string
  /** Where the address names a brand: the answer is that brand's, whatever the host. */
  brandKey?: string
  /** Where reading it counts as a visitor's search: which one. */
  searchKey?: string
  /**
   * Seconds, where the answer tells the browser to keep nothing although it depends on brand and mode alone. Only for visitors without a
   * session.
   */
  keepSeconds?: number
}

export type PublicReads = {
  /** Whether an address can be one, without parsing it. */
  may(url: string): boolean
  /** undefined: it is none, or a service has to say what is wrong with it. */
  parse(url: string): PublicRead | undefined
}

/** A page whose brand nobody has changed. */
const KEEP_PAGE_SECONDS = 60
/** Rows that tell the browser to keep nothing. */
const KEEP_SECONDS: Record<string, number> = { systemMode: 2 }
/** Neither a file nor an address that has to be decoded first. */
const PAGE = /^\/(?!api\b|internal\b|assets\b)[\w-]*(\/[\w-]+)*\/?$/

/** @param pageOf which page of the website an address shows */
export function publicReads(contracts: readonly Contract[], pageOf: (path: string) => string): PublicReads {
  const rows = contracts
    .flatMap(({ routes }) => Object.entries(routes))
    .filter(([name, { method, access, cacheSeconds }]) => {
      return method === 'GET' && access === 'public' && (cacheSeconds !== undefined || name in KEEP_SECONDS)
    })
    .map(([name, route]) => ({
      name,
      route,
      prefix: route.path.split(':')[0] as string,
      pattern: new RegExp(`^${route.path.replace(/:(\w+)/g, '(?<$1>[\\w.-]+)')}$`),
      keepSeconds: KEEP_SECONDS[name],
    }))
  return {
    may: (url) => (url.startsWith('/api/') ? rows.some(({ prefix }) => url.startsWith(prefix)) : !url.startsWith('/assets/')),
    parse(url) {
      const address = URL.parse(url, 'http://localhost')
      if (!address) return undefined
      const given = [...address.searchParams]
      const query = Object.fromEntries(given)
      // A brand or preview in the address is another brand, and is remembered in a cookie.
      if ('brand' in query || 'preview' in query) return undefined
      // The path as it was sent: `URL` would tidy up `/a/../b`.
      const path = url.split('?')[0] as string
      // Its headers are its own, and the mode decides what it has.
      if (path === CARD_FIELDS_PATH) return undefined
      if (PAGE.test(path)) return { name: 'page', key: `page ${pageOf(path)}`, keepSeconds: KEEP_PAGE_SECONDS }
      for (const { pattern, ...row } of rows) {
        const found = pattern.exec(path)
        if (!found) continue
        // A name given twice is refused by the service.
        if (given.length !== Object.keys(query).length) return undefined
        const params = parsed(row.route.params, { ...found.groups })
        const wishes = parsed(row.route.query, query)
        return params && wishes && readOf(row, params, wishes)
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

type Row = { name: string; route: Route; keepSeconds: number | undefined }

function readOf({ name, route, keepSeconds }: Row, params: object, wishes: object): PublicRead {
  const search = searchOf(name, wishes)
  return {
    name,
    route,
    key: `${name} ${stableText(params)} ${stableText(wishes)}`,
    ...('brandKey' in params && { brandKey: String(params.brandKey) }),
    ...(search !== undefined && { searchKey: search }),
    ...(keepSeconds !== undefined && { keepSeconds }),
  }
}

const stableText = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Reading the first page is a search; further pages belong to it. */
function searchOf(name: string, wishes: object): string | undefined {
  if (name !== 'search') return undefined
  const search = wishes as SearchCriteria & OfferView & { page?: number }
  return search.page === 1 && !isNarrowed(search) ? searchKey(search) : undefined
}
