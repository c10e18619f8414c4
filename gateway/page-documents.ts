/**
 * Pages with their brand, made and compressed once for all visitors: a page depends on its brand, its row and whether nobody is signed in,
 * and that of the card fields on the mode.
 */
import type { BrandSettings } from '@passerelle/contracts/http/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import type { CardFields } from '@passerelle/contracts/rules/card-fields'
import { type Compressed, compressible } from '@passerelle/kit/compression'
import { LRUCache } from 'lru-cache'
import { brandPrint } from './caller.ts'
import { cardHosts, contentPolicy, inlineSources } from './content-policy.ts'
import { fillPage, type Page, pageAt, styleOf } from './page.ts'

export type PageDocument = { html: string; compressed: Compressed; policy: string }

/** `cardPage`: the page of the card fields is asked for; its `fields` are null outside live mode. */
type Asked = { signedOut: boolean; cardPage: { fields: CardFields | null } | null }

const MOST_CHARACTERS = 16 * 1024 * 1024

/** @param template the page as the build left it */
export function pageDocuments(template: string, pages: readonly Page[]) {
  const made = new LRUCache<string, PageDocument>({ maxSize: MOST_CHARACTERS, sizeCalculation: ({ html }) => html.length })
  const make = (settings: BrandSettings | null, page: Page | null, { signedOut, cardPage }: Asked): PageDocument => {
    // A brand service of another release may send values that this one does not know.
    const brand = settings && readBrand(settings.brand, settings.key).brand
    const html = fillPage(template, { brand, page, signedOut, cardFields: cardPage?.fields ?? null })
    const inline = inlineSources(template, brand ? [styleOf(brand)] : [])
    const policy = contentPolicy(inline, {
      imageHosts: logoHosts(brand?.logo ?? ''),
      conversionTag: Boolean(brand?.content.conversionId),
      cardPage: cardPage && { hosts: cardPage.fields && cardHosts(cardPage.fields.script) },
    })
    return { html, compressed: compressible(html), policy }
  }
  /** @param settings null while the brand is not known */
  return (settings: BrandSettings | null, path: string, asked: Asked): PageDocument => {
    const page = pageAt(pages, path)
    const key = `${settings ? brandPrint(settings) : ''} ${page?.path ?? ''} ${asked.signedOut} ${asked.cardPage && asked.cardPage.fields !== null}`
    const known = made.get(key)
    if (known) return known
    const document = make(settings, page, asked)
    made.set(key, document)
    return document
  }
}

function logoHosts(logo: string): string[] {
  return /^https?:/.test(logo) ? [new URL(logo).origin] : []
}
