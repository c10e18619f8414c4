/** Which pages may change anything: every writing row of the contracts, asked from every kind of page, by an administrator's browser. */
import { addressOf } from '@passerelle/contracts/client'
import { allContracts } from '@passerelle/contracts/http/all'
import type { Route } from '@passerelle/contracts/route'
import { type Answer, ask } from '@passerelle/gateway/gateway.fixture'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalSystem, localSystem, Visitor } from './test-visitor.fixture.ts'

/** The site that is asked, under the host of one of its brands, and the pages that may ask. */
const OWN = 'http://atlas.example'
const OTHER_BRAND = 'http://aurora.example'
const FOREIGN = 'https://evil.example'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What a browser says of the page that asks, and the type of what it sends. `site` is Sec-Fetch-Site. */
type Page = { kind: string; site?: string; origin?: string; type?: string; referer?: string }

const pages: Page[] = [
  { kind: 'our own page', site: 'same-origin', origin: OWN },
  { kind: 'our own page, in a browser without Sec-Fetch-Site', origin: OWN },
  { kind: 'our own page, in a browser without Origin', site: 'same-origin' },
  { kind: 'another brand’s page', site: 'cross-site', origin: OTHER_BRAND },
  { kind: 'another brand’s page, in a browser without Sec-Fetch-Site', origin: OTHER_BRAND },
  { kind: 'a page on a neighbouring host', site: 'same-site', origin: 'http://blog.atlas.example' },
  { kind: 'our own host on another port', site: 'same-site', origin: `${OWN}:8443` },
  { kind: 'a foreign page', site: 'cross-site', origin: FOREIGN },
  { kind: 'a foreign page, in a browser without Sec-Fetch-Site', origin: FOREIGN },
  { kind: 'a page in a sandbox', site: 'cross-site', origin: 'null' },
  { kind: 'a page in a sandbox, in a browser without Sec-Fetch-Site', origin: 'null' },
  { kind: 'no page: a link or an address that was typed', site: 'none' },
  { kind: 'a foreign page that says it is ours', site: 'cross-site', origin: OWN },
  { kind: 'a form of our own', site: 'same-origin', origin: OWN, type: FORM_TYPE },
  { kind: 'a form of a foreign page', site: 'cross-site', origin: FOREIGN, type: FORM_TYPE },
  { kind: 'plain text of a foreign page, in a browser without Sec-Fetch-Site', origin: FOREIGN, type: 'text/plain' },
  { kind: 'a program, which says nothing' },
  { kind: 'a program, which sends a form', type: FORM_TYPE },
  { kind: 'a program that names a foreign page as its referrer', referer: `${FOREIGN}/` },
]

type Verdict = 'refused' | 'wrong type' | 'let through'

/** The rule: from our own origin, or from no browser; and JSON where the row reads JSON. */
function expected({ site, origin, type = JSON_TYPE }: Page, { body, rawBody }: Route): Verdict {
  const isOurs = site === undefined ? origin === undefined || origin === OWN : site === 'same-origin'
  if (!isOurs) return 'refused'
  return type !== JSON_TYPE && body !== undefined && !rawBody ? 'wrong type' : 'let through'
}

function verdictOf({ status, body }: Answer): Verdict {
  if (status === 403 && body.error === 'CROSS_SITE') return 'refused'
  return status === 415 && body.error === 'UNSUPPORTED_MEDIA_TYPE' ? 'wrong type' : 'let through'
}

const rows = allContracts
  .flatMap(({ routes }) => Object.entries(routes).map(([name, route]) => ({ name, route: route as Route })))
  .filter(({ route }) => route.method !== 'GET' && route.access !== 'internal')

let system: LocalSystem
let cells = 0
beforeAll(async () => {
  system = await localSystem()
})
afterAll(async () => {
  await system.stop()
})

const pathOf = (route: Route) =>
  addressOf(route, {
    params: { id: 'bk_1', brandKey: 'atlas.example', mode: 'test', key: 'a-key-of-nobody', file: `${'0'.repeat(32)}.svg` },
  })

function headersOf({ site, origin, referer, type = JSON_TYPE }: Page): Record<string, string> {
  return {
    host: new URL(OWN).host,
    'content-type': type,
    ...(site !== undefined && { 'sec-fetch-site': site }),
    ...(origin !== undefined && { origin }),
    ...(referer !== undefined && { referer }),
  }
}

async function signedIn(): Promise<Visitor> {
  const admin = new Visitor(system.url)
  const { status } = await admin.post('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
  expect(status).toBe(200)
  return admin
}

describe('AAUTH-10, R-80: who may call', () => {
  test.each(rows)('$name', async ({ route }) => {
    const admin = await signedIn()
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    // What is refused first, so that a row that ends the session still has one to end.
    const ordered = pages.toSorted((a, b) => Number(expected(a, route) !== 'refused') - Number(expected(b, route) !== 'refused'))
    for (const page of ordered) {
      const isForm = page.type !== undefined
      const body = isForm ? 'amount=1' : '{}'
      const answer = await ask(system.url, pathOf(route), { method: route.method, headers: { ...headersOf(page), cookie }, body })
      expect(verdictOf(answer), `${page.kind}: ${answer.status} ${answer.text.slice(0, 200)}`).toBe(expected(page, route))
      if (expected(page, route) === 'refused') expect(answer.cookies, page.kind).toEqual([])
      cells++
    }
  })

  test('every row that changes something was tried from every page: at least 300 cells', () => {
    console.log(`cross-site matrix: ${cells} cells over ${rows.length} routes`)
    expect(cells).toBe(rows.length * pages.length)
    expect(cells).toBeGreaterThanOrEqual(300)
  })

  test('no answer lets another site read it, and no row that only reads is kept from anybody', async () => {
    for (const page of pages) {
      const { status, headers } = await ask(system.url, '/api/system/mode', { headers: headersOf(page) })
      expect(status, page.kind).toBe(200)
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control')),
        page.kind,
      ).toEqual([])
      expect(headers['cross-origin-resource-policy'], page.kind).toBe('same-origin')
    }
  })
})
