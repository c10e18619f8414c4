/** One HTML document for every address: the template of the build with this host's brand, the head of the screen and its files. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Brand } from '@passerelle/contracts/http/brand'
import { brandCss, deriveBrand } from '@passerelle/contracts/rules/brand'
import { CARD_FIELDS_ID, type CardFields } from '@passerelle/contracts/rules/card-fields'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { escapeHtml } from '@passerelle/contracts/rules/letter'
import { z } from 'zod'
import { filledShell, Shells } from './shell.ts'

const File = z.string().startsWith('/assets/')
const Page = z.object({
  /** `/flight/:id`; `*` is any other address. */
  path: z.string(),
  /** `__BRAND__` stands for the brand's name. */
  title: z.string(),
  description: z.string(),
  robots: z.literal('noindex').nullable(),
  scripts: z.array(File),
  styles: z.array(File),
  shells: Shells,
})
export type Page = z.infer<typeof Page>

/** The table that the website's build writes; empty when there is none. */
export function readPages(file: string): Page[] {
  return existsSync(file) ? z.array(Page).parse(JSON.parse(readFileSync(file, 'utf8'))) : []
}

/** The row of an address. A segment that begins with a colon is any text. */
export function pageAt(pages: readonly Page[], address: string): Page | null {
  const asked = segments(address)
  const fits = ({ path }: Page) => {
    const own = segments(path)
    return own.length === asked.length && own.every((segment, index) => segment.startsWith(':') || segment === asked[index])
  }
  return pages.find(fits) ?? pages.find(({ path }) => path === '*') ?? null
}

/** Which row of the website in this folder an address shows. */
export function pagesOf(folder: string): (path: string) => string {
  const pages = readPages(join(folder, 'pages.json'))
  return (path) => pageAt(pages, path)?.path ?? '*'
}

function segments(path: string): string[] {
  return path.split('/').filter(Boolean)
}

export type Filling = {
  /** null leaves the defaults of the page. */
  brand: Brand | null
  page: Page | null
  /** Nobody is signed in: the page need not ask who is. */
  signedOut: boolean
  /** On the page of the card fields in live mode. */
  cardFields?: CardFields | null
}

/** JSON inside a script element must not be able to end it. */
const inScript = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c')

export function fillPage(template: string, { brand, page, signedOut, cardFields }: Filling): string {
  const name = brand?.name ?? defaultBrand.name
  const shell = page ? filledShell(page.shells, brand ?? defaultBrand, page.path) : ''
  const title = page?.title.replaceAll('__BRAND__', () => name) ?? `${name} - Flight Booking`
  const filled = template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    // Before the page's own scripts, which read it.
    .replace('<meta charset="utf-8" />', (charset) => (signedOut ? `${charset}<meta name="session" content="none" />` : charset))
    .replace('</head>', () => `${page ? headOf(page, shell !== '') : ''}${cardFields ? dataOf(cardFields) : ''}</head>`)
  const described = page
    ? filled.replace(/(<meta name="description" content=")[^"]*/, (_, open: string) => open + escapeHtml(page.description))
    : filled
  const branded = brand ? withBrand(described, brand) : described
  // Last: what a brand says is not searched for anything.
  if (!shell) return branded
  return branded
    .replace('<script type="module"', '<script type="module" fetchpriority="low"')
    .replace('<div id="root"></div>', () => `<div id="root">${shell}</div>`)
}

const dataOf = (fields: CardFields) => `<script type="application/json" id="${CARD_FIELDS_ID}">${inScript(fields)}</script>`

/** Scripts of a page that shows something without them leave the line to its styles and font. */
function headOf({ robots, scripts, styles }: Page, isShown: boolean): string {
  const priority = isShown ? ' fetchpriority="low"' : ''
  return [
    ...(robots ? [`<meta name="robots" content="${robots}" />`] : []),
    ...styles.map((file) => `<link rel="stylesheet" href="${escapeHtml(file)}" crossorigin />`),
    ...scripts.map((file) => `<link rel="modulepreload" href="${escapeHtml(file)}" crossorigin${priority} />`),
  ].join('')
}

/** The style element of a brand's page. */
export const styleOf = ({ theme }: Brand) => brandCss(deriveBrand(theme), { font: theme.font })

function withBrand(page: string, brand: Brand): string {
  return page
    .replace(/(<style id="brand-css"[^>]*>)[^<]*(<\/style>)/, (_, open: string, close: string) => open + styleOf(brand) + close)
    .replace(/(<script[^>]*id="brand"[^>]*>)[^<]*(<\/script>)/, (_, open: string, close: string) => open + inScript(brand) + close)
}
