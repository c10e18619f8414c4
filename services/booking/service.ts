/** Bookings: the saga from a request to a ticket, and back. */

import { AppError } from '@passerelle/contracts/error'
import { bookingApi } from '@passerelle/contracts/http/booking'
import { brandApi } from '@passerelle/contracts/http/brand'
import { paymentApi } from '@passerelle/contracts/http/payment'
import { searchApi } from '@passerelle/contracts/http/search'
import { MailConfig } from '@passerelle/kit/configuration'
import { mount } from '@passerelle/kit/http'
import { createMailer } from '@passerelle/kit/mail'
import { mailQueue, mailWorker } from '@passerelle/kit/mail-queue'
import { peer } from '@passerelle/kit/peer'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { documentSafe } from './documents.ts'
import type { MailTemplate } from './domain/mail.ts'
import { duffelSupplier } from './duffel.ts'
import { bookingConsumer } from './events.ts'
import { brandReader, mailConsumer, previews, writer } from './mails.ts'
import { type RouteTools, routes } from './routes.ts'
import { bookingStore } from './store.ts'
import { orphanWorker, sagaWorker, tidyWorker } from './workers.ts'

export const booking = defineService({
  name: 'booking',
  config: z.object({
    SEARCH_URL: z.url(),
    PAYMENT_URL: z.url(),
    BRAND_URL: z.url(),
    /** Where links in mails lead when a brand has no domain of its own on the internet. */
    PUBLIC_URL: z.url(),
    /** 32 bytes in base64; seals the keys that seal passengers' documents. */
    DOCUMENT_KEY: z.string().min(40),
    DUFFEL_TEST_TOKEN: z.string().startsWith('duffel_test_').optional(),
    DUFFEL_TEST_URL: z.url().optional(),
    DUFFEL_LIVE_TOKEN: z.string().startsWith('duffel_live_').optional(),
    /** An order may be sent this long after it was decided, and may turn up this much later still. */
    ORDER_SEND_WITHIN_MS: z.coerce.number().int().default(10_000),
    ORDER_SETTLE_MS: z.coerce.number().int().default(140_000),
    ANSWER_WITHIN_MS: z.coerce.number().int().default(25_000),
    ...MailConfig.shape,
  }),
  needs: { mongo: true, kafka: true },
  async setup({ config, mongo, http, tokens, log, metrics }) {
    const store = bookingStore(mongo)
    const suppliers = {
      ...(config.DUFFEL_TEST_TOKEN && { test: duffelSupplier(config.DUFFEL_TEST_TOKEN, config.DUFFEL_TEST_URL, metrics) }),
      ...(config.DUFFEL_LIVE_TOKEN && { live: duffelSupplier(config.DUFFEL_LIVE_TOKEN, undefined, metrics) }),
    }
    const clock = () => new Date()
    const brandOf = brandReader(peer(brandApi, config.BRAND_URL, tokens))
    const tools: RouteTools = {
      store,
      supplier(mode) {
        const supplier = suppliers[mode]
        if (!supplier) throw new AppError('UPSTREAM_UNAVAILABLE', { message: `Flights are not configured for ${mode} mode.` })
        return supplier
      },
      search: peer(searchApi, config.SEARCH_URL, tokens),
      payment: peer(paymentApi, config.PAYMENT_URL, tokens),
      safe: documentSafe(config.DOCUMENT_KEY),
      log,
      metrics,
      clock,
      sendWithinMs: config.ORDER_SEND_WITHIN_MS,
      settleMs: config.ORDER_SETTLE_MS,
      system: config.PUBLIC_URL,
      answerWithinMs: config.ANSWER_WITHIN_MS,
      preview: previews(brandOf, config.PUBLIC_URL, log),
    }
    const queue = mailQueue<MailTemplate>(mongo, clock)
    const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM)
    return {
      routers: [mount(bookingApi, routes(tools), http)],
      consumers: [bookingConsumer(store, clock), mailConsumer(queue)],
      workers: [
        sagaWorker(tools),
        tidyWorker(tools),
        orphanWorker(tools, Object.keys(suppliers) as ('test' | 'live')[]),
        mailWorker({ queue, mailer, write: writer(store, brandOf, config.PUBLIC_URL), log, metrics, clock }),
      ],
      outboxes: [store.outbox],
      stop: async () => mailer.close(),
    }
  },
})
