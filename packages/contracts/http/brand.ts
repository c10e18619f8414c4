/** A brand and what everybody may know of it, the system's mode, and the newsletter. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { Done, LinkToken, Mode } from './common.ts'

export const Colour = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'A colour must be hex, such as #0f766e')
/** http(s) or relative to this site; empty means none. */
export const Link = z.union([
  z.literal(''),
  z
    .string()
    .regex(/^(https?:\/\/[^\s]+|\/(?!\/)[^\s]*)$/i, 'A link must start with http(s):// or /')
    .refine((link) => link.startsWith('/') || isPlainAddress(link), 'This link is not a valid address'),
])

/** Its host stands in the content policy of pages, so it has none of the marks that a URL allows besides letters, digits, dots and hyphens. */
function isPlainAddress(link: string): boolean {
  const url = URL.parse(link)
  return url !== null && /^[a-z0-9.-]+$/.test(url.hostname) && url.username === '' && url.password === ''
}
export type Colour = z.infer<typeof Colour>
export type Link = z.infer<typeof Link>

export const BrandTheme = z.object({
  primary: Colour,
  secondary: Colour,
  accent: Colour,
  background: Colour,
  text: Colour,
  font: z.string().regex(/^[A-Za-z0-9 '\-,]{0,80}$/, 'A font name has letters, digits, spaces and hyphens'),
})
export type BrandTheme = z.infer<typeof BrandTheme>

/** What pages show of a brand besides its look. */
export const BrandContent = z.object({
  /** The wait time on /expedia. */
  waitTime: z.boolean(),
  promotions: z.boolean(),
  /** Whether /expedia is there at all. */
  partnerPage: z.boolean(),
  /** The sign-up in the footer. */
  newsletter: z.boolean(),
  /** Id of the advertiser's conversion tag; empty: none is loaded. */
  conversionId: z.string().regex(/^[A-Za-z0-9_/.-]{0,80}$/, 'A conversion id has letters, digits, hyphens and slashes'),
  /** Plain texts in place of the built-in ones, by their names. */
  texts: z
    .record(z.string().regex(/^[a-z][A-Za-z0-9.-]{0,79}$/, 'This text has no valid name'), z.string().max(4000))
    .refine((texts) => JSON.stringify(texts).length <= 20_000, 'The texts of a brand are at most 20,000 characters long'),
})
export type BrandContent = z.infer<typeof BrandContent>

export const Brand = z.object({
  name: z.string().min(1).max(80),
  /** The key: a host name, or "default". */
  domain: z.string().regex(/^[a-z0-9.-]{1,253}$/),
  logo: Link,
  theme: BrandTheme,
  contact: z.object({ email: z.string().max(254), phone: z.string().max(40), address: z.string().max(300) }),
  social: z.object({ facebook: Link, twitter: Link, instagram: Link }),
  content: BrandContent,
})
export type Brand = z.infer<typeof Brand>

/** Added to the supplier's amounts. */
export const MarkupPercent = z.number('A markup is a number').min(0, 'A markup is at least 0 %').max(100, 'A markup is at most 100 %')

/** Who mails of a brand come from. `address` and `replyTo` are there once the address was proved; null: the installation's own. */
export const MailSender = z.object({ name: z.string(), address: z.string().nullable(), replyTo: z.string().nullable() })
export type MailSender = z.infer<typeof MailSender>

/** The brand as the gateway and the mails need it. */
export const BrandSettings = z.object({
  key: z.string(),
  version: z.int(),
  brand: Brand,
  markupPercent: MarkupPercent,
  /** Absent in copies of an earlier release: mails come from the installation's own address. */
  sender: MailSender.optional(),
})
export type BrandSettings = z.infer<typeof BrandSettings>

export const BrandKey = z.object({
  brandKey: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9.-]{1,253}$/, 'This brand key is not valid'),
})
export type BrandKey = z.infer<typeof BrandKey>

export const SystemMode = z.object({ isLiveMode: z.boolean(), mode: Mode })
export type SystemMode = z.infer<typeof SystemMode>

export const brandApi = contract('brand', {
  getBrand: {
    ...addresses.brand.getBrand,
    access: 'public',
    summary: 'A brand by its key',
    params: BrandKey,
    response: Brand,
    errors: ['VALIDATION_ERROR', 'BRAND_NOT_FOUND'],
    cacheSeconds: 30,
  },
  systemMode: {
    ...addresses.brand.systemMode,
    access: 'public',
    summary: 'Whether the product runs in test or in live mode',
    response: SystemMode,
  },
  subscribe: {
    ...addresses.brand.subscribe,
    access: 'public',
    summary: 'Sign an address up for the newsletter; asking twice is the same as once',
    body: z.object({ email: z.email('Please enter a valid email address').max(254) }),
    response: Done,
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    limits: callsPer(3600, { network: 10 }),
  },
  leaveNewsletter: {
    ...addresses.brand.leaveNewsletter,
    access: 'public',
    summary: 'End a newsletter with the link of one of its mails; the address is deleted',
    body: z.object({ token: LinkToken }),
    response: Done,
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    limits: callsPer(3600, { network: 30 }),
  },
  brandSettings: {
    method: 'GET',
    path: '/internal/brands/:brandKey',
    access: 'internal',
    callers: ['gateway', 'booking', 'identity'],
    summary: 'The brand of a host, or of the preview `preview.<token>.<host>`; the default brand when there is no other',
    params: BrandKey,
    response: BrandSettings,
  },
})
