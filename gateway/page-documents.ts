/** Pages with their brand, made and compressed once for all visitors: a page depends on its brand, its row and whether nobody is signed in. */
import type { BrandSettings } from '@passerelle/contracts/http/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { type Compressed, compressible } from '@passerelle/kit/compression'
import { LRUCache } from 'lru-cache'
import { brandPrint } from './caller.ts'
import { contentPolicy, inlineSources } from './content-policy.ts'
import { fillPage, type Page, pageAt, styleOf } from './page.ts'

export type PageDocument = { html: string; compressed: Compressed; policy: string }

const MOST_CHARACTERS = 16 * 1024 * 1024

/** @param template the page as the build left it */
export function pageDocuments(template: string, pages: readonly Page[]) {
  const made = new LRUCache<string, PageDocument>({ maxSize: MOST_CHARACTERS, sizeCalculation: ({ html }) => html.length })
  const make = (settings: BrandSettings | null, page: Page | null, signedOut: boolean): PageDocument => {
    // A brand service of another release may send values that this one does not know.
    const brand = settings && readBrand(settings.brand, settings.key).brand
    const html = fillPage(template, { brand, page, signedOut })
    const inline = inlineSources(template, brand ? [styleOf(brand)] : [])
    const policy = contentPolicy(inline, logoHosts(brand?.logo ?? ''), Boolean(brand?.content.conversionId))
    return { html, compressed: compressible(html), policy }
  }
  /** @param settings null while the brand is not known */
  return (settings: BrandSettings | null, path: string, signedOut: boolean): PageDocument => {
    const page = pageAt(pages, path)
    const key = `${settings ? brandPrint(settings) : ''} ${page?.path ?? ''} ${signedOut}`
    const known = made.get(key)
    if (known) return known
    const document = make(settings, page, signedOut)
    made.set(key, document)
    return document
  }
}

function logoHosts(logo: string): string[] {
  return /^https?:/.test(logo) ? [new URL(logo).origin] : []
}
