/** A brand on the internet: the DNS records that its host and the sender of its mails need, how they are found, and the proof of the sender. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { oneLine } from '../rules/text.ts'
import { BrandKey } from './brand.ts'
import { Done, Empty, LinkToken } from './common.ts'

/** unknown: DNS was not asked yet, or did not answer. */
export const RecordState = z.enum(['unknown', 'missing', 'wrong', 'right'])
export type RecordState = z.infer<typeof RecordState>

export const DnsRecord = z.object({
  /** ownership: proves that the host is the agency's. address: leads visitors here. www: leads those here who type www. */
  purpose: z.enum(['ownership', 'address', 'www', 'spf', 'dkim']),
  type: z.enum(['TXT', 'A', 'AAAA', 'CNAME']),
  name: z.string(),
  /** What it has to be; of SPF, what it has to contain. */
  value: z.string(),
  state: RecordState,
  /** What was found in its place, where that is wrong. */
  found: z.array(z.string()),
})
export type DnsRecord = z.infer<typeof DnsRecord>

/** `lookedAt`: when DNS was last asked; null: not yet. */
const Looked = z.object({ records: z.array(DnsRecord), lookedAt: z.string().nullable() })

/** ready: a proxy that asks is told to get one. unpublished: it will be when visitors see the brand. waiting: for the records. */
export const CertificateState = z.enum(['ready', 'unpublished', 'waiting'])
export type CertificateState = z.infer<typeof CertificateState>

/** What answers on a host. valid: browsers take it. ended, other-name, untrusted: they warn of it. none: none answers. */
export const AnsweredCertificate = z.object({
  state: z.enum(['valid', 'ended', 'other-name', 'untrusted', 'none']),
  /** null: none answers. */
  endsAt: z.string().nullable(),
})
export type AnsweredCertificate = z.infer<typeof AnsweredCertificate>

export const BrandHost = Looked.extend({
  host: z.string(),
  /** Ownership and address were right when they were last looked at. */
  proved: z.boolean(),
  /** `answers`: as it was last seen; null: not asked yet. The release before leaves it out. */
  certificates: z.array(z.object({ host: z.string(), state: CertificateState, answers: AnsweredCertificate.nullish() })),
})
export type BrandHost = z.infer<typeof BrandHost>

/** What mails of a brand carry; the address counts once whoever reads its mail has opened the link. */
export const SenderInput = z.object({
  fromName: oneLine(80, 'Please enter a name'),
  /** Empty: the installation's own. */
  fromAddress: z.union([z.literal(''), z.email('Please enter a valid email address').max(254)], 'Please enter a valid email address'),
  /** Empty: none but the From address. */
  replyTo: z.union([z.literal(''), z.email('Please enter a valid email address').max(254)], 'Please enter a valid email address'),
})
export type SenderInput = z.infer<typeof SenderInput>

export const BrandSender = Looked.extend({
  ...SenderInput.shape,
  proved: z.boolean(),
  /** What mails come from now: a proved address, or the installation's own. */
  usedAddress: z.string(),
  /** The last link that was mailed for this address; null: none, or it is being sent. */
  link: z.object({ sentAt: z.string(), expiresAt: z.string() }).nullable(),
})
export type BrandSender = z.infer<typeof BrandSender>

/** `host`: null for the default brand, which is shown on every host without a brand. */
export const HostAndSender = z.object({ host: BrandHost.nullable(), sender: BrandSender })
export type HostAndSender = z.infer<typeof HostAndSender>

const errors = ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN', 'BRAND_NOT_FOUND'] as const
const limits = callsPer(60, { network: 600, session: 60 })
/** Of what asks others: name servers, and whoever has an address. */
const outward = callsPer(3600, { network: 120, session: 60 })

const ofBrand = { access: 'admin', byBrand: true, params: BrandKey, response: HostAndSender } as const

export const brandHostApi = contract('brand', {
  getHostAndSender: {
    ...addresses.brandHost.getHostAndSender,
    ...ofBrand,
    summary: 'The records that a brand’s host and sender need, as they were last found',
    errors,
  },
  checkRecords: {
    ...addresses.brandHost.checkRecords,
    ...ofBrand,
    summary: 'Look the records up now',
    body: Empty,
    errors: [...errors, 'RATE_LIMITED'],
    limits: outward,
  },
  saveSender: {
    ...addresses.brandHost.saveSender,
    ...ofBrand,
    summary: 'Change who mails come from; an address that was not proved gets a link, and is used once the link was opened',
    body: SenderInput,
    errors: [...errors, 'BRAND_RACE', 'RATE_LIMITED'],
    limits,
  },
  sendSenderLink: {
    ...addresses.brandHost.sendSenderLink,
    ...ofBrand,
    summary: 'Mail the link to the From address again',
    body: Empty,
    errors: [...errors, 'BRAND_STATE', 'RATE_LIMITED'],
    limits: callsPer(3600, { network: 30, session: 10 }),
  },
  proveSender: {
    ...addresses.brandHost.proveSender,
    access: 'public',
    summary: 'Prove a From address with the link that was mailed to it',
    body: z.object({ token: LinkToken }),
    response: Done,
    errors: ['VALIDATION_ERROR', 'LINK_INVALID', 'RATE_LIMITED'],
    limits: callsPer(3600, { network: 60 }),
  },
  askForCertificate: {
    method: 'GET',
    path: '/internal/edge/certificate',
    access: 'internal',
    callers: ['edge'],
    summary: 'Whether a proxy in front may get a certificate for a host: yes for the proved hosts of published brands, else 404',
    query: z.object({ domain: z.string().min(1).max(255) }),
    response: z.object({ host: z.string() }),
    errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  },
})
