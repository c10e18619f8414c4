/** Making and changing brands: drafts, versions, previews and logos. Nothing here is visible to visitors before it is published. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { LOGO_TYPES } from '../rules/logo.ts'
import { oneLine } from '../rules/text.ts'
import { BrandStatus } from './admin.ts'
import { Brand, BrandKey } from './brand.ts'
import { AnsweredCertificate } from './brand-host.ts'

/** A brand as an administrator saves it: its key is not part of it, and mails can reach its address. */
export const BrandInput = Brand.omit({ domain: true }).extend({
  name: oneLine(80, 'Please enter a name'),
  contact: z.object({
    email: z.email('Please enter a valid email address').max(254),
    phone: oneLine(40),
    address: oneLine(300),
  }),
})
export type BrandInput = z.infer<typeof BrandInput>

/** The host that it is served on, or `default`. Names of hosts on one machine and addresses are no brands. */
export const NewBrandKey = z
  .string('Please enter a host name')
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'Please enter a host name, such as flights.example.com',
  )
  .refine((key) => !(key.startsWith('www.') && key.split('.').length > 2), 'Please leave out the www, which leads to the same brand')
  .refine((key) => !key.startsWith('preview.'), 'This host name is used for previews')

/** Of the brand document: whoever saves gives the one that was loaded, and BRAND_RACE answers an older one. */
const Version = z.coerce.number().int().min(1)
const Note = oneLine(200).optional()

export const BrandVersion = z.object({
  number: z.int(),
  at: z.string(),
  /** User id; null for brands of the installation. */
  by: z.string().nullable(),
  /** What the administrator wrote, or the names of the fields that changed. */
  note: z.string(),
  brand: Brand,
})
export type BrandVersion = z.infer<typeof BrandVersion>

export const BrandSummary = z.object({
  key: z.string(),
  name: z.string(),
  status: BrandStatus,
  /** Number of the published version; 0: none yet. */
  published: z.int(),
  publishedAt: z.string().nullable(),
  publishedBy: z.string().nullable(),
  /** Fields in which the draft differs from the published version, such as `theme.primary`. */
  changes: z.array(z.string()),
  draftAt: z.string().nullable(),
  draftBy: z.string().nullable(),
})
export type BrandSummary = z.infer<typeof BrandSummary>

/** With what the list shows beside it. */
export const ListedBrand = BrandSummary.extend({
  /** As the editor has it: its address, or empty for the built-in mark. */
  logo: z.string(),
  /**
   * How its records stood when they were last looked up; `toMend` are missing or wrong. `certificate`: of the host without www. null: the
   * default brand, which needs none.
   */
  host: z.object({ looked: z.boolean(), proved: z.boolean(), toMend: z.int(), certificate: AnsweredCertificate.nullish() }).nullable(),
  /** `address` is empty where mails come from the installation's own. */
  sender: z.object({ address: z.string(), proved: z.boolean() }),
})
export type ListedBrand = z.infer<typeof ListedBrand>

export const ManagedBrand = BrandSummary.extend({
  version: z.int(),
  /** What the editor shows: the draft, or the published version where there is none. */
  brand: Brand,
  /** Newest first; the last 20 are kept. */
  versions: z.array(BrandVersion),
})
export type ManagedBrand = z.infer<typeof ManagedBrand>

export const Preview = z.object({
  /** Page of this website that shows the brand to whoever opens it, until `expiresAt`. Leaving: `/?preview=off`. */
  path: z.string(),
  expiresAt: z.string(),
})
export type Preview = z.infer<typeof Preview>

/** Named by the hash of their bytes, so that one name never shows another picture. */
const LogoFile = z.string().regex(/^[a-f0-9]{32}\.(svg|png|webp)$/, 'This file name is not valid')

const errors = ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN'] as const
const change = [...errors, 'BRAND_NOT_FOUND', 'BRAND_RACE', 'BRAND_STATE'] as const
const limits = callsPer(60, { network: 600, session: 60 })

export const brandManagerApi = contract('brand', {
  listBrands: {
    ...addresses.brandManager.listBrands,
    access: 'admin',
    byBrand: true,
    summary: 'All brands, the default brand first',
    response: z.array(ListedBrand),
    errors,
  },
  createBrand: {
    ...addresses.brandManager.createBrand,
    access: 'admin',
    summary: 'Make a brand: a draft with the look of the default brand, or of another one',
    body: z.object({ key: NewBrandKey, name: oneLine(80, 'Please enter a name'), like: BrandKey.shape.brandKey.optional() }),
    response: ManagedBrand,
    status: 201,
    errors: [...errors, 'BRAND_EXISTS', 'BRAND_NOT_FOUND'],
    limits,
  },
  getManagedBrand: {
    ...addresses.brandManager.getManagedBrand,
    access: 'admin',
    byBrand: true,
    summary: 'A brand with its draft and versions',
    params: BrandKey,
    response: ManagedBrand,
    errors: [...errors, 'BRAND_NOT_FOUND'],
  },
  saveDraft: {
    ...addresses.brandManager.saveDraft,
    access: 'admin',
    byBrand: true,
    summary: 'Save a draft; visitors do not see it',
    params: BrandKey,
    body: z.object({ version: Version, brand: BrandInput }),
    response: ManagedBrand,
    errors: [...errors, 'BRAND_NOT_FOUND', 'BRAND_RACE'],
    limits,
  },
  discardDraft: {
    ...addresses.brandManager.discardDraft,
    access: 'admin',
    byBrand: true,
    summary: 'Discard the draft; a brand that was never published keeps it',
    params: BrandKey,
    query: z.object({ version: Version }),
    response: ManagedBrand,
    errors: change,
    limits,
  },
  publishBrand: {
    ...addresses.brandManager.publishBrand,
    access: 'admin',
    byBrand: true,
    summary: 'Publish the draft as the next version; its host shows it within a minute',
    params: BrandKey,
    body: z.object({ version: Version, note: Note }),
    response: ManagedBrand,
    errors: change,
    limits,
  },
  rollBackBrand: {
    ...addresses.brandManager.rollBackBrand,
    access: 'admin',
    byBrand: true,
    summary: 'Publish an earlier version again, as the next one; the draft stays',
    params: BrandKey,
    body: z.object({ version: Version, to: z.int().min(1) }),
    response: ManagedBrand,
    errors: change,
    limits,
  },
  setBrandActive: {
    ...addresses.brandManager.setBrandActive,
    access: 'admin',
    byBrand: true,
    summary: 'Deactivate a brand, whose host then shows the default brand, or serve it again',
    params: BrandKey,
    body: z.object({ version: Version, active: z.boolean() }),
    response: ManagedBrand,
    errors: change,
    limits,
  },
  previewBrand: {
    ...addresses.brandManager.previewBrand,
    access: 'admin',
    byBrand: true,
    summary: 'An address that shows the draft, or a version, for an hour',
    params: BrandKey,
    body: z.object({ number: z.int().min(1).optional() }),
    response: Preview,
    errors: change,
    limits,
  },
  uploadLogo: {
    ...addresses.brandManager.uploadLogo,
    access: 'admin',
    byBrand: true,
    summary: 'Store an SVG, PNG or WebP image of at most 200 KB; the draft then names the address it answers',
    params: BrandKey,
    body: z.instanceof(Uint8Array),
    response: z.object({ logo: z.string(), type: z.enum(LOGO_TYPES), bytes: z.int() }),
    status: 201,
    errors: [...errors, 'BRAND_NOT_FOUND', 'LOGO_REFUSED'],
    rawBody: true,
    limits,
  },
  getLogo: {
    ...addresses.brandManager.getLogo,
    access: 'public',
    summary: 'A stored logo',
    params: BrandKey.extend({ file: LogoFile }),
    response: z.instanceof(Uint8Array),
    file: LOGO_TYPES,
    errors: ['VALIDATION_ERROR', 'LOGO_NOT_FOUND'],
    cacheSeconds: 31_536_000,
  },
})
