/** Brands, the system's mode, and the messages of visitors. */
import { adminApi } from '@passerelle/contracts/http/admin'
import { brandApi } from '@passerelle/contracts/http/brand'
import { brandHostApi } from '@passerelle/contracts/http/brand-host'
import { brandManagerApi } from '@passerelle/contracts/http/brand-manager'
import { messagesApi } from '@passerelle/contracts/http/messages'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { createAudit } from '@passerelle/kit/audit'
import { Flag, MailConfig } from '@passerelle/kit/configuration'
import { mount } from '@passerelle/kit/http'
import { createMailer } from '@passerelle/kit/mail'
import { mailQueue, mailWorker } from '@passerelle/kit/mail-queue'
import { now } from '@passerelle/kit/runtime'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { adminRoutes } from './admin-routes.ts'
import { brandReader } from './brand-reader.ts'
import type { MessageMail } from './domain/mail.ts'
import { sampleSeeds } from './domain/seed-brands.ts'
import { brandConsumer } from './events.ts'
import { hostConfig, hostParts } from './hosts/parts.ts'
import { managerRoutes } from './manager/routes.ts'
import { managerStore } from './manager/store.ts'
import { messageWriter } from './messages/mails.ts'
import { messageRoutes } from './messages/routes.ts'
import { messageStore } from './messages/store.ts'
import { type NewsletterMail, newsletterWriter } from './newsletter/mails.ts'
import { subscriberStore } from './newsletter/store.ts'
import { routes } from './routes.ts'
import type { SenderMail } from './senders/mails.ts'
import { brandStore } from './store.ts'

export const brand = defineService({
  name: 'brand',
  config: z.object({
    PUBLIC_URL: z.url(),
    /** Percent added to supplier amounts where a brand says nothing else. */
    MARKUP_PERCENT: z.coerce.number().min(0).max(100).optional(),
    /** Shown to administrators; "production" is highlighted. */
    ENVIRONMENT: z.string().default('development'),
    /** Two more brands, for trying host names. */
    SAMPLE_BRANDS: Flag,
    LIVE_FLIGHTS_CONFIGURED: Flag,
    LIVE_CARDS_CONFIGURED: Flag,
    ...MailConfig.shape,
    ...hostConfig,
  }),
  needs: { mongo: true, kafka: true },
  async setup({ config, mongo, http, log, metrics }) {
    const store = brandStore(mongo)
    const manager = managerStore(mongo)
    const messages = messageStore(mongo)
    const subscribers = subscriberStore(mongo)
    const queue = mailQueue<MessageMail | NewsletterMail | SenderMail>(mongo)
    const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM)
    const reader = brandReader(store, log, config.MARKUP_PERCENT)
    const audit = createAudit(mongo)
    const live = { duffel: config.LIVE_FLIGHTS_CONFIGURED, stripe: config.LIVE_CARDS_CONFIGURED }
    const publicUrl = config.PUBLIC_URL
    const [writeMessage, writeNewsletter] = [
      messageWriter({ messages, reader, publicUrl }),
      newsletterWriter({ subscribers, reader, publicUrl }),
    ]
    const hosts = hostParts({ config, mongo, store, mails: queue, audit, log })
    const write = (template: MessageMail | NewsletterMail | SenderMail, subject: string) => {
      if (template === 'prove-sender') return hosts.write(template, subject)
      return template === 'signed-up' ? writeNewsletter(template, subject) : writeMessage(template, subject)
    }
    return {
      routers: [
        mount(brandApi, routes({ store, manager, subscribers, mails: queue, reader }), http),
        mount(messagesApi, messageRoutes({ messages, mails: queue, audit }), http),
        mount(adminApi, adminRoutes({ store, reader, audit, log, environment: config.ENVIRONMENT, live }), http),
        mount(brandManagerApi, managerRoutes({ store, manager, audit, hosts }), http),
        mount(brandHostApi, hosts.routes, http),
      ],
      consumers: [brandConsumer({ messages, mails: queue })],
      workers: [mailWorker({ queue, mailer, write, log, metrics }), hosts.worker],
      outboxes: [...store.outboxes, messages.outbox],
      prepare: () => store.seed(config.SAMPLE_BRANDS ? sampleSeeds : [{ brand: defaultBrand }], now()),
      stop: async () => mailer.close(),
    }
  },
})
