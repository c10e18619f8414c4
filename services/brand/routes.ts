/** The calls of brandApi. */
import { AppError } from '@passerelle/contracts/error'
import type { brandApi } from '@passerelle/contracts/http/brand'
import type { Handlers } from '@passerelle/kit/http'
import type { MailQueue } from '@passerelle/kit/mail-queue'
import { now } from '@passerelle/kit/runtime'
import type { BrandReader } from './brand-reader.ts'
import { previewed } from './manager/previews.ts'
import type { ManagerStore } from './manager/store.ts'
import type { NewsletterMail } from './newsletter/mails.ts'
import type { SubscriberStore } from './newsletter/store.ts'
import type { Store } from './store.ts'

export type RouteTools = {
  store: Store
  manager: ManagerStore
  subscribers: SubscriberStore
  mails: MailQueue<NewsletterMail>
  reader: BrandReader
}

export function routes({ store, manager, subscribers, mails, reader }: RouteTools): Handlers<typeof brandApi> {
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
      const added = await subscribers.add(body.email, caller.brand, now())
      if (added) await mails.enqueue('signed-up', added.number)
      return { success: true, message: 'Thank you. You will hear from us when fares drop.' }
    },

    async leaveNewsletter({ body }) {
      await subscribers.remove(body.token)
      return { success: true, message: 'You will get no more of these e-mails, and we have deleted your address.' }
    },

    async brandSettings({ params }) {
      const { shown, hostKey } = await previewed(params.brandKey, store, manager, now())
      const found = shown ?? (await reader.served(hostKey))
      if (!found) throw new AppError('BRAND_NOT_FOUND')
      return reader.settings(found)
    },
  }
}
