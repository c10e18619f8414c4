/**
 * The content security policy of a page: scripts and styles from this host alone, and of inline ones those whose hash is named. A page is
 * the same for every visitor of a brand, so that it can be kept compressed (docs/decisions/0021).
 */
import { hash } from 'node:crypto'

/** Where the advertiser's conversion tag comes from and reports to. */
const AD_HOSTS = [
  'https://www.googletagmanager.com',
  'https://www.googleadservices.com',
  'https://googleads.g.doubleclick.net',
  'https://pagead2.googlesyndication.com',
  'https://www.google.com',
] as const

/** Where the card provider's script, its fields and the banks' questions come from: https://docs.stripe.com/security/guide */
const CARD_HOSTS = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  calls: ['https://api.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
}

/** @param script another address of the script, of a simulator that serves everything */
export function cardHosts(script: string | null): typeof CARD_HOSTS {
  if (script === null) return CARD_HOSTS
  const { origin } = new URL(script)
  return { scripts: [origin], calls: [origin], frames: [origin] }
}

/** Sources of a policy: `'sha256-…'`. */
export type InlineSources = { scripts: readonly string[]; styles: readonly string[] }

const sourceOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
/** Of elements that bring no code of their own. */
const NOT_INLINE = /\b(src=|type="application\/json")/
/** Chakra adds an empty element and writes its rules through the style sheet's own methods, which no policy forbids. */
const EMPTY_STYLE = sourceOf('')

/**
 * What a page of ours has inline. To be called before anything that somebody else wrote is put into the page: what it finds may run.
 * @param styles texts of further styles that the page will have
 */
export function inlineSources(page: string, styles: readonly string[] = []): InlineSources {
  const texts = (element: 'script' | 'style') =>
    [...page.matchAll(new RegExp(`<${element}\\b([^>]*)>([^]*?)</${element}>`, 'g'))]
      .filter(([, attributes = '', text = '']) => text !== '' && !NOT_INLINE.test(attributes))
      .map(([, , text = '']) => text)
  return {
    scripts: texts('script').map(sourceOf),
    styles: [...texts('style'), ...styles].map(sourceOf),
  }
}

export type Guests = {
  /** Origins of the brand's logo. */
  imageHosts: readonly string[]
  /** Whether this brand may ask its visitors for consent to the advertiser's tag. */
  conversionTag?: boolean
  /** The page of the card fields, which a page of ours frames: with the provider's hosts in live mode, else null. Without the tag. */
  cardPage?: { hosts: typeof CARD_HOSTS | null } | null
}

export function contentPolicy({ scripts, styles }: InlineSources, { imageHosts, conversionTag, cardPage }: Guests): string {
  const ads = conversionTag && !cardPage ? AD_HOSTS : []
  const card = cardPage?.hosts ?? { scripts: [], calls: [], frames: [] }
  const frames = cardPage ? card.frames : ["'self'", ...ads.slice(0, 1)]
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...scripts, ...ads, ...card.scripts],
    ['style-src', "'self'", EMPTY_STYLE, ...styles],
    ['img-src', "'self'", 'data:', ...imageHosts, ...ads],
    ['font-src', "'self'"],
    ['connect-src', "'self'", ...ads, ...card.calls],
    ...(frames.length > 0 ? [['frame-src', ...frames]] : []),
    ['form-action', "'self'"],
    ['manifest-src', "'self'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
    ['frame-ancestors', cardPage ? "'self'" : "'none'"],
  ]
    .map((directive) => directive.join(' '))
    .join('; ')
}
