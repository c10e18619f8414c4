/** The calls of brandApi. */
import { AppError } from '@passerelle/contracts/error'
import { systemModeChanged } from '@passerelle/contracts/events/brand'
import type { brandApi } from '@passerelle/contracts/http/brand'
import { BrandSettings } from '@passerelle/contracts/http/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { DEFAULT_MARKUP_PERCENT } from '@passerelle/contracts/rules/money'
import type { Handlers } from '@passerelle/kit/http'
import type { Log } from '@passerelle/kit/log'
import { createOutboxEvent } from '@passerelle/kit/outbox'
import type { BrandRecord, Store } from './store.ts'

export type RouteTools = {
  store: Store
  log: Log
  clock(): Date
  markupPercent: number | undefined
  environment: string
  /** Whether live keys are there; the keys themselves are never read here. */
  live: { duffel: boolean; stripe: boolean }
}

const PROOF_MS = 15 * 60_000

export function routes({ store, log, clock, markupPercent, environment, live }: RouteTools): Handlers<typeof brandApi> {
  const settings = (enableLiveMode: boolean) => ({
    enableLiveMode,
    duffelApiConfigured: live.duffel,
    stripeConfigured: live.stripe,
    environment,
  })

  const loggedFaults = new Set<string>()
  /** A record of an older release, or one changed by hand, is shown as far as it can be; its faults are logged once. */
  const usable = (record: BrandRecord) => {
    const { brand, replaced } = readBrand(record.brand, record._id)
    const version = BrandSettings.shape.version.safeParse(record.version)
    const markup = BrandSettings.shape.markupPercent.nullish().safeParse(record.markupPercent)
    const faults = [...replaced, ...(version.success ? [] : ['version']), ...(markup.success ? [] : ['markupPercent'])]
    const fault = `${record._id} ${record.version} ${faults.join()}`
    if (faults.length > 0 && !loggedFaults.has(fault)) {
      loggedFaults.add(fault)
      log.warn({ brand: record._id, version: record.version, faults }, 'stored values of a brand cannot be used: the defaults stand in')
    }
    return { brand, version: version.data ?? 0, markupPercent: markup.data ?? markupPercent ?? DEFAULT_MARKUP_PERCENT }
  }

  return {
    async getBrand({ params }) {
      const found = await store.find(params.brandKey)
      if (!found) throw new AppError('BRAND_NOT_FOUND')
      return usable(found).brand
    },

    async systemMode() {
      const { mode } = await store.system()
      return { isLiveMode: mode === 'live', mode }
    },

    async getSettings() {
      return settings((await store.system()).mode === 'live')
    },

    async changeSettings({ body, caller }) {
      const proof = caller.adminProofAt ? Date.parse(caller.adminProofAt) : 0
      if (clock().getTime() - proof > PROOF_MS) throw new AppError('REAUTH_REQUIRED')
      const mode = body.enableLiveMode ? 'live' : 'test'
      if (mode === 'live' && !(live.duffel && live.stripe)) throw new AppError('LIVE_NOT_CONFIGURED')
      const system = await store.system()
      if (system.mode !== mode) {
        const by = caller.userId ?? 'unknown'
        const event = createOutboxEvent(
          systemModeChanged,
          { mode, by },
          { sequence: system.version + 1, at: clock(), requestId: caller.requestId },
        )
        if (!(await store.switchMode(system, mode, [event]))) throw new AppError('MODE_RACE')
        await store.record({ at: clock(), actor: by, action: 'mode', from: system.mode, to: mode, requestId: caller.requestId })
        log.warn({ from: system.mode, to: mode, by }, 'the system mode was switched')
      }
      return { enableLiveMode: body.enableLiveMode }
    },

    async subscribe({ body, caller }) {
      await store.subscribe(body.email, caller.brand, clock())
      return { success: true, message: 'Thank you. You will hear from us when fares drop.' }
    },

    async brandSettings({ params }) {
      const found = (await store.find(params.brandKey)) ?? (await store.find('default'))
      if (!found) throw new AppError('BRAND_NOT_FOUND')
      return { key: found._id, ...usable(found) }
    },
  }
}
