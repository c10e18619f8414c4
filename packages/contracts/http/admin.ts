/** What administrators set for the whole system and for each brand's prices, and the record of it. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { BrandKey, MarkupPercent } from './brand.ts'
import { Id } from './common.ts'

export const AdminSettings = z.object({
  enableLiveMode: z.boolean(),
  duffelApiConfigured: z.boolean(),
  stripeConfigured: z.boolean(),
  environment: z.string(),
})
export type AdminSettings = z.infer<typeof AdminSettings>

export const BrandStatus = z.enum(['draft', 'live', 'deactivated'])
export type BrandStatus = z.infer<typeof BrandStatus>

export const BrandMarkup = z.object({
  brandKey: z.string(),
  name: z.string(),
  status: BrandStatus,
  /** null: the brand follows the default brand. */
  markupPercent: z.number().nullable(),
  /** What is added to the supplier's amounts now. */
  effectivePercent: z.number(),
  changedAt: z.string().nullable(),
  /** User id. */
  changedBy: z.string().nullable(),
})
export type BrandMarkup = z.infer<typeof BrandMarkup>

export const AuditAction = z.enum([
  'mode',
  'markup',
  'brand-created',
  'brand-draft-saved',
  'brand-draft-discarded',
  'brand-published',
  'brand-rolled-back',
  'brand-deactivated',
  'brand-activated',
  'brand-logo',
  'brand-sender',
  'brand-sender-link',
  'brand-sender-proved',
  'message-answered',
  'message-state',
  'booking-retried',
  'booking-cancelled',
  'booking-settled',
  'booking-rebuilt',
  'bookings-downloaded',
  'person-exported',
  'person-erased',
])
export type AuditAction = z.infer<typeof AuditAction>

/** One change, or one that was refused. Nobody can edit it. */
export const AuditRecord = z.object({
  id: z.string(),
  at: z.string(),
  /** User id of the administrator, or "operator": by a command on the servers, or "link": by the link of a mail. */
  actor: z.string(),
  action: AuditAction,
  /** A brand's key, the id of a message or newsletter, a booking's reference, "bookings", or "system". */
  subject: z.string(),
  /** Whose matter it is; null: the whole system's, or an entry from before it was kept. */
  brandKey: z.string().nullable(),
  /** Before and after, in a few words: `test` and `live`, `20` and `18`, version numbers. */
  from: z.string(),
  to: z.string(),
  /** Why, in the administrator's own words. */
  note: z.string().nullable(),
  /** Code of the error with which it was refused; null: it was done. */
  refused: z.string().nullable(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

const errors = ['NOT_AUTHENTICATED', 'FORBIDDEN'] as const
const limits = callsPer(60, { network: 60, session: 20 })

/** A page of an audit, newest first. */
export const auditPage = {
  query: z.object({
    subject: z.string().max(253).optional(),
    before: Id.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(25),
  }),
  response: z.object({ entries: z.array(AuditRecord), next: z.string().nullable() }),
}

export const adminApi = contract('brand', {
  getSettings: {
    ...addresses.admin.getSettings,
    access: 'admin',
    summary: 'What an administrator sees of the system',
    response: AdminSettings,
    errors,
  },
  changeSettings: {
    ...addresses.admin.changeSettings,
    access: 'admin',
    summary: 'Switch between test and live; needs a password proof of at most 15 minutes ago',
    body: z.object({ enableLiveMode: z.boolean('enableLiveMode must be true or false') }),
    response: z.object({ enableLiveMode: z.boolean() }),
    errors: [...errors, 'REAUTH_REQUIRED', 'LIVE_NOT_CONFIGURED', 'MODE_RACE'],
    limits,
  },
  listMarkups: {
    ...addresses.admin.listMarkups,
    access: 'admin',
    byBrand: true,
    summary: 'What each brand adds to the supplier’s amounts, the default brand first',
    response: z.array(BrandMarkup),
    errors,
  },
  changeMarkup: {
    ...addresses.admin.changeMarkup,
    access: 'admin',
    byBrand: true,
    summary:
      'Change a brand’s markup; new searches use it within a minute, bookings keep their price. Needs a password proof as the mode does',
    params: BrandKey,
    body: z.object({ markupPercent: MarkupPercent.nullable() }),
    response: BrandMarkup,
    errors: ['VALIDATION_ERROR', ...errors, 'REAUTH_REQUIRED', 'BRAND_NOT_FOUND', 'BRAND_RACE'],
    limits,
  },
  listAudit: {
    ...addresses.admin.listAudit,
    access: 'admin',
    byBrand: true,
    summary: 'Every change of mode, markup, brands and messages, also the refused ones, newest first',
    ...auditPage,
    errors: ['VALIDATION_ERROR', ...errors],
  },
})
