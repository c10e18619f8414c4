/** Previews: a token that stands for a draft or a version, for whoever has it, for an hour. */
import { hashToken } from '@passerelle/kit/auth'
import { randomBytes } from '@passerelle/kit/runtime'
import { type BrandRecord, editedBrand } from '../domain/brand-record.ts'
import type { ServedBrand, Store } from '../store.ts'
import type { ManagerStore } from './store.ts'

const PREVIEW_MS = 3_600_000
/** How the gateway asks for a preview where it would ask for the brand of a host. */
const KEY = /^preview\.([a-f0-9]{40})\.(.+)$/

/** What it shows; undefined: the brand has no such version. */
export function previewOf(record: BrandRecord, number: number | null): ServedBrand | undefined {
  const { _id, version, markupPercent, sender = null } = record
  const brand = number === null ? editedBrand(record) : record.versions.find((one) => one.number === number)?.brand
  return brand && { _id, version, markupPercent, sender, brand }
}

export async function createPreview(
  brandKey: string,
  number: number | null,
  manager: ManagerStore,
  now: Date,
): Promise<{ path: string; expiresAt: string }> {
  const token = randomBytes(20).toString('hex')
  const expiresAt = new Date(now.getTime() + PREVIEW_MS)
  await manager.addPreview({ _id: hashToken(token), brandKey, number, expiresAt })
  return { path: `/?preview=${token}`, expiresAt: expiresAt.toISOString() }
}

/** What the key of a preview shows, while the preview lasts, and the host's own key. */
export async function previewed(
  key: string,
  store: Store,
  manager: ManagerStore,
  now: Date,
): Promise<{ shown: ServedBrand | undefined; hostKey: string }> {
  const [, token, hostKey = key] = KEY.exec(key) ?? []
  const preview = token ? await manager.preview(hashToken(token), now) : null
  const record = preview && (await store.record(preview.brandKey))
  return { shown: record ? previewOf(record, preview.number) : undefined, hostKey }
}
