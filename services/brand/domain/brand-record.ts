/** A brand's document and what may be done with it. Every function returns the change to write; nothing is written here. */
import { AppError } from '@passerelle/contracts/error'
import type { BrandStatus } from '@passerelle/contracts/http/admin'
import type { Brand } from '@passerelle/contracts/http/brand'
import type { BrandSummary, ListedBrand, ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { isProved, noSender, type StoredSender } from './sender.ts'

type StoredVersion = { number: number; at: Date; by: string | null; note: string; brand: Brand }

export type BrandRecord = {
  _id: string
  version: number
  /** The published brand; null: it was never published. */
  brand: Brand | null
  /** null: the default brand's. */
  markupPercent: number | null
  markupChanged: { at: Date; by: string } | null
  /** Whom mails come from; null: from the installation's own address. It has no drafts: a proof counts at once. */
  sender?: StoredSender | null
  active: boolean
  /** Number of the published version; 0: none. */
  published: number
  draft: { brand: Brand; at: Date; by: string | null } | null
  /** Oldest first. */
  versions: StoredVersion[]
}

/** A brand of the installation. `sender`: absent where the installation's own is the brand's. */
export type Seed = { brand: Brand; sender?: StoredSender | undefined }
export type Change = Partial<Omit<BrandRecord, '_id' | 'version'>>
export type By = { at: Date; by: string }

const KEPT_VERSIONS = 20
const NOTE_LENGTH = 200

export function newRecord(key: string, brand: Brand, { at, by }: { at: Date; by: string | null }): BrandRecord {
  const unpublished = { brand: null, active: false, published: 0, versions: [], draft: { brand, at, by } }
  return { _id: key, version: 1, markupPercent: null, markupChanged: null, sender: null, ...unpublished }
}

/** A brand of the installation, which is published from the start. */
export function publishedRecord(key: string, brand: Brand, at: Date): BrandRecord {
  const first: StoredVersion = { number: 1, at, by: null, note: 'First version', brand }
  return { ...newRecord(key, brand, { at, by: null }), brand, active: true, published: 1, draft: null, versions: [first] }
}

export function statusOf({ published, active }: Pick<BrandRecord, 'published' | 'active'>): BrandStatus {
  return published === 0 ? 'draft' : active ? 'live' : 'deactivated'
}

/** What the editor starts from. */
export function editedBrand(record: BrandRecord): Brand {
  return readBrand(record.draft?.brand ?? record.brand, record._id).brand
}

/** Names of the fields with different values, such as `theme.primary`. */
function changedFields(before: unknown, after: unknown, path = ''): string[] {
  if (!isObject(before) || !isObject(after)) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => changedFields(before[name], after[name], path ? `${path}.${name}` : name))
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function saveDraft(record: BrandRecord, brand: Brand, { at, by }: By): Change {
  const isSame = record.brand !== null && changedFields(record.brand, brand).length === 0
  return { draft: isSame ? null : { brand, at, by } }
}

/** @throws BRAND_STATE */
export function discardDraft({ draft, published }: BrandRecord): Change {
  if (!draft) throw refused('There is no draft to discard.')
  if (published === 0) throw refused('This brand has nothing but its draft.')
  return { draft: null }
}

/** @throws BRAND_STATE */
export function publish(record: BrandRecord, by: By, note: string | undefined): Change {
  if (!record.draft) throw refused('There is no draft to publish.')
  const { brand } = record.draft
  const usual = record.published === 0 ? 'First version' : changedFields(record.brand, brand).join(', ')
  return { ...asNextVersion(record, brand, by, note || usual), draft: null, ...(record.published === 0 && { active: true }) }
}

/** @throws BRAND_STATE */
export function rollBack(record: BrandRecord, to: number, by: By): Change {
  const version = record.versions.find(({ number }) => number === to)
  if (!version) throw refused('This version is not kept any more.')
  if (to === record.published) throw refused('This version is the published one.')
  return asNextVersion(record, version.brand, by, `Version ${to} again`)
}

function asNextVersion({ published, versions }: BrandRecord, brand: Brand, { at, by }: By, note: string): Change {
  const number = published + 1
  const next: StoredVersion = { number, at, by, note: note.slice(0, NOTE_LENGTH), brand }
  return { brand, published: number, versions: [...versions, next].slice(-KEPT_VERSIONS) }
}

/** @throws BRAND_STATE */
export function setActive(record: BrandRecord, active: boolean): Change {
  if (record._id === DEFAULT_BRAND_KEY) throw refused('The default brand is always served.')
  if (record.published === 0) throw refused('This brand was never published.')
  return { active }
}

function refused(message: string): AppError {
  return new AppError('BRAND_STATE', { message })
}

function toSummary(record: BrandRecord): BrandSummary {
  const { _id, published, versions, draft, brand } = record
  const current = versions.find(({ number }) => number === published)
  return {
    key: _id,
    name: editedBrand(record).name,
    status: statusOf(record),
    published,
    publishedAt: current?.at.toISOString() ?? null,
    publishedBy: current?.by ?? null,
    changes: draft && brand ? changedFields(brand, draft.brand) : [],
    draftAt: draft?.at.toISOString() ?? null,
    draftBy: draft?.by ?? null,
  }
}

/** What the list of brands shows, but its host. */
export function toListed(record: BrandRecord): Omit<ListedBrand, 'host'> {
  const { logo, name } = editedBrand(record)
  const sender = record.sender ?? noSender(name)
  return { ...toSummary(record), logo, sender: { address: sender.fromAddress, proved: isProved(sender) } }
}

export function toManaged(record: BrandRecord): ManagedBrand {
  const versions = record.versions.map((version) => ({
    ...version,
    at: version.at.toISOString(),
    brand: readBrand(version.brand, record._id).brand,
  }))
  return { ...toSummary(record), version: record.version, brand: editedBrand(record), versions: versions.reverse() }
}
