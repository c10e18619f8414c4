/** Calls of the brand service: brands, the system's mode and the agency's messages. */
import { z } from 'zod'
import { contract } from '../route.ts'
import { Done, Mode } from './common.ts'

export const Colour = z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'A colour must be hex, such as #0f766e')
/** http(s) or relative to this site; empty means none. */
export const Link = z.union([
  z.literal(''),
  z
    .string()
    .regex(/^(https?:\/\/[^\s]+|\/(?!\/)[^\s]*)$/i, 'A link must start with http(s):// or /')
    .refine((link) => link.startsWith('/') || URL.canParse(link), 'This link is not a valid address'),
])
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

export const Brand = z.object({
  name: z.string().min(1).max(80),
  /** The key: a host name, or "default". */
  domain: z.string().regex(/^[a-z0-9.-]{1,253}$/),
  logo: Link,
  theme: BrandTheme,
  contact: z.object({ email: z.string().max(254), phone: z.string().max(40), address: z.string().max(300) }),
  social: z.object({ facebook: Link, twitter: Link, instagram: Link }),
})
export type Brand = z.infer<typeof Brand>

/** The brand as the gateway needs it. */
export const BrandSettings = z.object({ key: z.string(), version: z.int(), brand: Brand, markupPercent: z.number().min(0).max(100) })
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

export const AdminSettings = z.object({
  enableLiveMode: z.boolean(),
  duffelApiConfigured: z.boolean(),
  stripeConfigured: z.boolean(),
  environment: z.string(),
})
export type AdminSettings = z.infer<typeof AdminSettings>

export const brandApi = contract('brand', {
  getBrand: {
    method: 'GET',
    path: '/api/brands/:brandKey',
    access: 'public',
    summary: 'A brand by its key',
    params: BrandKey,
    response: Brand,
    errors: ['VALIDATION_ERROR', 'BRAND_NOT_FOUND'],
    cacheSeconds: 30,
  },
  systemMode: {
    method: 'GET',
    path: '/api/system/mode',
    access: 'public',
    summary: 'Whether the product runs in test or in live mode',
    response: SystemMode,
  },
  getSettings: {
    method: 'GET',
    path: '/api/admin/settings',
    access: 'admin',
    summary: 'What an administrator sees of the system',
    response: AdminSettings,
    errors: ['NOT_AUTHENTICATED', 'FORBIDDEN'],
  },
  changeSettings: {
    method: 'POST',
    path: '/api/admin/settings',
    access: 'admin',
    summary: 'Switch between test and live; needs a password proof of at most 15 minutes ago',
    body: z.object({ enableLiveMode: z.boolean('enableLiveMode must be true or false') }),
    response: z.object({ enableLiveMode: z.boolean() }),
    errors: ['NOT_AUTHENTICATED', 'FORBIDDEN', 'REAUTH_REQUIRED', 'LIVE_NOT_CONFIGURED'],
    limits: [
      { max: 60, seconds: 60, by: 'network' },
      { max: 20, seconds: 60, by: 'session' },
    ],
  },
  subscribe: {
    method: 'POST',
    path: '/api/newsletter',
    access: 'public',
    summary: 'Sign an address up for the newsletter; asking twice is the same as once',
    body: z.object({ email: z.email('Please enter a valid email address').max(254) }),
    response: Done,
    errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
    limits: [{ max: 10, seconds: 3600, by: 'network' }],
  },
  brandSettings: {
    method: 'GET',
    path: '/internal/brands/:brandKey',
    access: 'internal',
    callers: ['gateway', 'booking', 'identity'],
    summary: 'The brand of a host; the default brand when there is no other',
    params: BrandKey,
    response: BrandSettings,
  },
})
