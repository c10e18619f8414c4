/** The calls of brandApi. */
import { AppError } from '@passerelle/contracts/error'
import type { brandApi } from '@passerelle/contracts/http/brand'
import type { Handlers } from '@passerelle/kit/http'
import { now } from '@passerelle/kit/runtime'
import type { BrandReader } from './brand-reader.ts'
import { previewed } from './manager/previews.ts'
import type { ManagerStore } from './manager/store.ts'
import type { Store } from './store.ts'

export type RouteTools = { store: Store; manager: ManagerStore; reader: BrandReader }

export function routes({ store, manager, reader }: RouteTools): Handlers<typeof brandApi> {
  return {
    async getBrand({ params }) {
      const found = await store.find(params.brandKey)
      if (!found) throw new AppError('BRAND_NOT_FOUND')
      return reader.read(found)
    },

    async systemMode() {
      const { mode } = await store.system()
      return { isLiveMode: mode === 'live', mode }
    },

    async subscribe({ body, caller }) {
      await store.subscribe(body.email, caller.brand, now())
      return { success: true, message: 'Thank you. You will hear from us when fares drop.' }
    },

    async brandSettings({ params }) {
      const { shown, hostKey } = await previewed(params.brandKey, store, manager, now())
      const found = shown ?? (await reader.served(hostKey))
      if (!found) throw new AppError('BRAND_NOT_FOUND')
      return reader.settings(found)
    },
  }
}
