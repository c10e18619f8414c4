/** The calls of adminApi: the mode, markups and the audit. */
import { AppError } from '@passerelle/contracts/error'
import { brandChanged } from '@passerelle/contracts/events/brand'
import type { adminApi, BrandMarkup } from '@passerelle/contracts/http/admin'
import type { Audit } from '@passerelle/kit/audit'
import type { Caller } from '@passerelle/kit/auth'
import type { Handlers } from '@passerelle/kit/http'
import type { Log } from '@passerelle/kit/log'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import { now } from '@passerelle/kit/runtime'
import { brandsOf, looksAfter, requireBrand } from '@passerelle/kit/staff'
import type { BrandReader } from './brand-reader.ts'
import { type BrandRecord, editedBrand, statusOf } from './domain/brand-record.ts'
import type { Store } from './store.ts'

type AdminTools = {
  store: Store
  reader: BrandReader
  audit: Audit
  log: Log
  environment: string
  /** Whether live keys are configured; the keys themselves are never read here. */
  live: { duffel: boolean; stripe: boolean }
}

const PROOF_MS = 15 * 60_000

export function adminRoutes({ store, reader, audit, log, environment, live }: AdminTools): Handlers<typeof adminApi> {
  const requireProof = ({ adminProofAt }: Caller) => {
    if (now().getTime() - (adminProofAt ? Date.parse(adminProofAt) : 0) > PROOF_MS) throw new AppError('REAUTH_REQUIRED')
  }

  const toMarkup = (record: BrandRecord, defaultPercent: number): BrandMarkup => ({
    brandKey: record._id,
    name: editedBrand(record).name,
    status: statusOf(record),
    markupPercent: record.markupPercent,
    effectivePercent: record.markupPercent ?? defaultPercent,
    changedAt: record.markupChanged?.at.toISOString() ?? null,
    changedBy: record.markupChanged?.by ?? null,
  })

  return {
    async getSettings() {
      return {
        enableLiveMode: (await store.system()).mode === 'live',
        duffelApiConfigured: live.duffel,
        stripeConfigured: live.stripe,
        environment,
      }
    },

    async changeSettings({ body, caller }) {
      const mode = body.enableLiveMode ? 'live' : 'test'
      const system = await store.system()
      const by = caller.userId ?? 'unknown'
      const change = async () => {
        requireProof(caller)
        if (mode === 'live' && !(live.duffel && live.stripe)) throw new AppError('LIVE_NOT_CONFIGURED')
        if (system.mode === mode) return
        if (!(await store.switchMode(system, mode))) throw new AppError('MODE_RACE')
        log.warn({ from: system.mode, to: mode, by }, 'the system mode was switched')
      }
      if (system.mode === mode) await change()
      else await audit.run({ action: 'mode', subject: 'system', brandKey: null, from: system.mode, to: mode }, caller, change)
      return { enableLiveMode: body.enableLiveMode }
    },

    async listMarkups({ caller }) {
      const defaultPercent = await reader.defaultMarkup()
      const records = await store.allRecords()
      return records.filter(({ _id }) => looksAfter(caller, _id)).map((record) => toMarkup(record, defaultPercent))
    },

    async changeMarkup({ params: { brandKey }, body: { markupPercent }, caller }) {
      requireBrand(caller, brandKey, 'BRAND_NOT_FOUND')
      const record = await store.record(brandKey)
      if (!record) throw new AppError('BRAND_NOT_FOUND')
      const text = (percent: number | null) => (percent === null ? 'as default' : String(percent))
      const about = { action: 'markup', subject: brandKey, brandKey, from: text(record.markupPercent), to: text(markupPercent) } as const
      const changed = await audit.run(about, caller, async () => {
        requireProof(caller)
        const at = now()
        const version = record.version + 1
        const event = createOutboxEvent(brandChanged, { brandKey, version }, { sequence: version, at, requestId: caller.requestId })
        const markupChanged = { at, by: caller.userId ?? 'unknown' }
        const written = await store.change(record, { markupPercent, markupChanged }, [event])
        if (!written) throw new AppError('BRAND_RACE')
        return written
      })
      log.warn({ ...about, by: caller.userId }, 'a markup was changed')
      return toMarkup(changed, await reader.defaultMarkup())
    },

    listAudit: ({ query, caller }) => audit.list({ ...query, brands: brandsOf(caller) }),
  }
}
