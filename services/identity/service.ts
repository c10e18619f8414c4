/** Accounts and sessions. */
import { accountApi } from '@passerelle/contracts/http/account'
import { bookingApi } from '@passerelle/contracts/http/booking'
import { brandApi } from '@passerelle/contracts/http/brand'
import { identityApi, MIN_REGISTRATION_PASSWORD } from '@passerelle/contracts/http/identity'
import { staffApi } from '@passerelle/contracts/http/staff'
import { MailConfig } from '@passerelle/kit/configuration'
import { mount } from '@passerelle/kit/http'
import { createMailer } from '@passerelle/kit/mail'
import { mailQueue, mailWorker } from '@passerelle/kit/mail-queue'
import { peer } from '@passerelle/kit/peer'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { accountRoutes } from './account-routes.ts'
import type { AccountTools } from './accounts.ts'
import { ensureAdmin } from './administrators.ts'
import type { AccountMail } from './domain/mail.ts'
import { identityConsumer } from './events.ts'
import { writer } from './mails.ts'
import { createPasswords } from './passwords.ts'
import { routes } from './routes.ts'
import { staffRoutes } from './staff-routes.ts'
import { identityStore } from './store.ts'

export const identity = defineService({
  name: 'identity',
  config: z.object({
    BOOKING_URL: z.url(),
    BRAND_URL: z.url(),
    PUBLIC_URL: z.url(),
    /** Makes the administrator "admin" with this password where there is none; for machines of developers only. */
    FIRST_ADMIN_PASSWORD: z.string().min(12).optional(),
    /** The least length of a password at registration; the message of the refusal names it. */
    PASSWORD_MIN_REGISTER: z.coerce.number().int().min(MIN_REGISTRATION_PASSWORD).max(64).default(MIN_REGISTRATION_PASSWORD),
    ...MailConfig.shape,
  }),
  needs: { mongo: true, kafka: true },
  async setup({ config, mongo, http, tokens, log, metrics }) {
    const store = identityStore(mongo)
    const bookings = peer(bookingApi, config.BOOKING_URL, tokens)
    const queue = mailQueue<AccountMail>(mongo)
    const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM)
    const passwordMin = config.PASSWORD_MIN_REGISTER
    const tools: AccountTools = { store, passwords: await createPasswords(), bookings, mails: queue, passwordMin }
    const firstPassword = config.FIRST_ADMIN_PASSWORD
    const write = writer({ store, brands: peer(brandApi, config.BRAND_URL, tokens), bookings, publicUrl: config.PUBLIC_URL })
    return {
      routers: [
        mount(identityApi, routes(tools), http),
        mount(accountApi, accountRoutes(tools), http),
        mount(staffApi, staffRoutes(tools, config.PUBLIC_URL), http),
      ],
      consumers: [identityConsumer(tools)],
      workers: [mailWorker({ queue, mailer, write, log, metrics })],
      outboxes: [store.outbox],
      prepare: async () => {
        await store.migrateUsers()
        if (firstPassword) await ensureAdmin(firstPassword, tools)
      },
      stop: async () => mailer.close(),
    }
  },
})
