/** The calls of brandManagerApi. */
import { AppError, validationError } from '@passerelle/contracts/error'
import { brandChanged } from '@passerelle/contracts/events/brand'
import type { AuditAction } from '@passerelle/contracts/http/admin'
import type { brandManagerApi, ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import type { Audit } from '@passerelle/kit/audit'
import type { Caller } from '@passerelle/kit/auth'
import { type Handlers, Reply } from '@passerelle/kit/http'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now } from '@passerelle/kit/runtime'
import { looksAfter, requireBrand } from '@passerelle/kit/staff'
import {
  type BrandRecord,
  type By,
  type Change,
  discardDraft,
  editedBrand,
  newRecord,
  publish,
  rollBack,
  saveDraft,
  setActive,
  toListed,
  toManaged,
} from '../domain/brand-record.ts'
import type { Store } from '../store.ts'
import { createPreview, previewOf } from './previews.ts'
import type { ManagerStore } from './store.ts'

type ManagerTools = {
  store: Store
  manager: ManagerStore
  audit: Audit
  hosts: {
    /** Host names of the installation itself, which no brand may have. */
    ownHosts: readonly string[]
    standing(record: BrandRecord): Promise<ListedBrand['host']>
  }
}

/** Beyond these the oldest that neither the draft nor a kept version shows are removed. */
const MOST_LOGOS = 40
/** A picture and nothing that runs, also when it is opened by itself. */
const LOGO_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

type Edit = {
  key: string
  /** As the administrator loaded it. */
  version: number
  action: AuditAction
  caller: Caller
  /** Visitors see something else after it. */
  visible: boolean
  change(record: BrandRecord, by: By): Change
  to?: string
}

export function managerRoutes({ store, manager, audit, hosts }: ManagerTools): Handlers<typeof brandManagerApi> {
  const load = async (key: string, caller: Caller): Promise<BrandRecord> => {
    requireBrand(caller, key, 'BRAND_NOT_FOUND')
    const record = await store.record(key)
    if (!record) throw new AppError('BRAND_NOT_FOUND')
    return record
  }

  const edit = async ({ key, version, action, caller, visible, change, to }: Edit) => {
    const record = await load(key, caller)
    const by: By = { at: now(), by: caller.userId ?? 'unknown' }
    const about = { action, subject: key, brandKey: key, from: `version ${record.published}`, to: to ?? '' }
    const changed = await audit.run(about, caller, async () => {
      if (record.version !== version) throw new AppError('BRAND_RACE')
      const sequence = record.version + 1
      const event = { brandKey: key, version: sequence }
      const events = visible ? [createOutboxEvent(brandChanged, event, { sequence, at: by.at, requestId: caller.requestId })] : []
      const written = await store.change(record, change(record, by), events)
      if (!written) throw new AppError('BRAND_RACE')
      return written
    })
    return toManaged(changed)
  }

  const removeUnusedLogos = async (record: BrandRecord) => {
    const all = await manager.logosOf(record._id)
    const used = JSON.stringify([record.draft, record.brand, record.versions])
    const unused = all.slice(0, Math.max(0, all.length - MOST_LOGOS)).filter(({ _id }) => !used.includes(_id.split('/').at(-1) ?? ''))
    if (unused.length > 0) await manager.dropLogos(unused.map(({ _id }) => _id))
  }

  return {
    async listBrands({ caller }) {
      const own = (await store.allRecords()).filter(({ _id }) => looksAfter(caller, _id))
      return Promise.all(own.map(async (record) => ({ ...toListed(record), host: await hosts.standing(record) })))
    },

    async createBrand({ body: { key, name, like = DEFAULT_BRAND_KEY }, caller }) {
      if (hosts.ownHosts.includes(key)) throw validationError([{ path: ['key'], message: 'This host is the installation’s own' }])
      const look = editedBrand(await load(like, caller))
      // A logo and the ways to reach an agency are nobody else's.
      const brand = { ...look, name, domain: key, logo: '', social: { facebook: '', twitter: '', instagram: '' } }
      const record = newRecord(key, brand, { at: now(), by: caller.userId })
      await audit.run({ action: 'brand-created', subject: key, brandKey: key, to: name }, caller, async () => {
        if (!(await store.insert(record))) throw new AppError('BRAND_EXISTS')
      })
      return toManaged(record)
    },

    getManagedBrand: async ({ params, caller }) => toManaged(await load(params.brandKey, caller)),

    saveDraft: ({ params: { brandKey: key }, body: { version, brand }, caller }) =>
      edit({
        key,
        version,
        action: 'brand-draft-saved',
        caller,
        visible: false,
        change: (record, by) => saveDraft(record, { ...brand, domain: key }, by),
        to: 'draft',
      }),

    discardDraft: ({ params: { brandKey: key }, query: { version }, caller }) =>
      edit({ key, version, action: 'brand-draft-discarded', caller, visible: false, change: discardDraft }),

    publishBrand: ({ params: { brandKey: key }, body: { version, note }, caller }) =>
      edit({
        key,
        version,
        action: 'brand-published',
        caller,
        visible: true,
        change: (record, by) => publish(record, by, note),
        to: note ?? 'next version',
      }),

    rollBackBrand: ({ params: { brandKey: key }, body: { version, to }, caller }) =>
      edit({
        key,
        version,
        action: 'brand-rolled-back',
        caller,
        visible: true,
        change: (record, by) => rollBack(record, to, by),
        to: `version ${to}`,
      }),

    setBrandActive: ({ params: { brandKey: key }, body: { version, active }, caller }) =>
      edit({
        key,
        version,
        action: active ? 'brand-activated' : 'brand-deactivated',
        caller,
        visible: true,
        change: (record) => setActive(record, active),
      }),

    async previewBrand({ params: { brandKey }, body: { number = null }, caller }) {
      if (!previewOf(await load(brandKey, caller), number))
        throw new AppError('BRAND_STATE', { message: 'This version is not kept any more.' })
      return createPreview(brandKey, number, manager, now())
    },

    async uploadLogo({ params: { brandKey }, body, caller }) {
      const record = await load(brandKey, caller)
      const logo = await audit.run({ action: 'brand-logo', subject: brandKey, brandKey, to: `${body.length} bytes` }, caller, async () => {
        // Loaded with the first logo, so that no start waits for the libraries that look into it.
        const { readLogo } = await import('./logo.ts')
        const { file, type, bytes } = readLogo(body)
        await manager.addLogo({ _id: `${brandKey}/${file}`, brandKey, type, bytes, at: now() })
        return { logo: `/api/brands/${brandKey}/logos/${file}`, type, bytes: bytes.length }
      })
      await removeUnusedLogos(record)
      return logo
    },

    async getLogo({ params: { brandKey, file } }) {
      const logo = await manager.logo(`${brandKey}/${file}`)
      if (!logo) throw new AppError('LOGO_NOT_FOUND')
      return new Reply({ file: logo.bytes, type: logo.type }, { headers: { 'content-security-policy': LOGO_POLICY } })
    },
  }
}
