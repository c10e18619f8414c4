/** Bookings: the saga from a request to a ticket, and back. */

import { AppError } from '@passerelle/contracts/error'
import { backOfficeApi } from '@passerelle/contracts/http/back-office'
import { bookingApi } from '@passerelle/contracts/http/booking'
import { brandApi } from '@passerelle/contracts/http/brand'
import { paymentApi } from '@passerelle/contracts/http/payment'
import { searchApi } from '@passerelle/contracts/http/search'
import { createAudit } from '@passerelle/kit/audit'
import { MailConfig } from '@passerelle/kit/configuration'
import { mount } from '@passerelle/kit/http'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { createLease } from '@passerelle/kit/lease'
import { createMailer } from '@passerelle/kit/mail'
import { mailQueue, mailWorker } from '@passerelle/kit/mail-queue'
import { peer } from '@passerelle/kit/peer'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { brandCopies } from './brands/brand-copies.ts'
import { brandCopyStore } from './brands/store.ts'
import { documentSafe } from './documents.ts'
import type { QueuedMail } from './domain/mail.ts'
import { duffelSupplier } from './duffel.ts'
import { bookingConsumer, mailConsumer } from './events.ts'
import { previews, writer } from './mails.ts'
import { noticeWorker } from './notices.ts'
import { attentionWorker } from './office/attention-mail.ts'
import { officeRoutes } from './office/routes.ts'
import { orphanWorker } from './orphans.ts'
import { receiptStore } from './receipts/store.ts'
import { rebuilder } from './reconciliations/rebuild.ts'
import { reconciliationWorker } from './reconciliations/reconcile.ts'
import { reconciliationStore } from './reconciliations/store.ts'
import { type RouteContext, routes } from './routes.ts'
import { bookingStore } from './store.ts'
import { ageWorker, sagaWorker, tidyWorker } from './workers.ts'

/** Any call to the supplier but an order and a cancellation. */
const READ_MS = 10_000
/** A replica that has died leaves the sweep to another after so long. */
const SWEEP_LEASE_MS = 180_000

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
    DUFFEL_LIVE_URL: z.url().optional(),
    /** It signs its notices with these. */
    DUFFEL_TEST_WEBHOOK_SECRET: z.string().optional(),
    DUFFEL_LIVE_WEBHOOK_SECRET: z.string().optional(),
    /** An order is sent this soon after that was decided, or not at all. */
    ORDER_SEND_WITHIN_MS: z.coerce.number().int().default(5000),
    /** The supplier's longest answer: an order that was sent may still appear so much later. */
    ORDER_LONGEST_MS: z.coerce.number().int().default(120_000),
    ANSWER_WITHIN_MS: z.coerce.number().int().default(25_000),
    PREPARE_WITHIN_MS: z.coerce.number().int().default(40_000),
    /** Who is told of a booking that needs a person; by default the contact address of its brand. */
    STAFF_EMAIL: z.email().optional(),
    ...MailConfig.shape,
  }),
  needs: { mongo: true, kafka: true },
  async setup({ config, mongo, http, tokens, log, metrics }) {
    const store = bookingStore(mongo)
    const deadlines = { orderMs: config.ORDER_LONGEST_MS, readMs: READ_MS }
    const suppliers = {
      ...(config.DUFFEL_TEST_TOKEN && { test: duffelSupplier(config.DUFFEL_TEST_TOKEN, config.DUFFEL_TEST_URL, metrics, deadlines) }),
      ...(config.DUFFEL_LIVE_TOKEN && { live: duffelSupplier(config.DUFFEL_LIVE_TOKEN, config.DUFFEL_LIVE_URL, metrics, deadlines) }),
    }
    const copies = brandCopyStore(mongo)
    const brandOf = brandCopies({ brands: peer(brandApi, config.BRAND_URL, tokens), copies, log })
    const context: RouteContext = {
      store,
      receipts: receiptStore(mongo),
      supplier(mode) {
        const supplier = suppliers[mode]
        if (!supplier) throw new AppError('UPSTREAM_UNAVAILABLE', { message: `Flights are not configured for ${mode} mode.` })
        return supplier
      },
      search: peer(searchApi, config.SEARCH_URL, tokens),
      payment: peer(paymentApi, config.PAYMENT_URL, tokens),
      safe: documentSafe(config.DOCUMENT_KEY),
      hash: keyedHash(config.DOCUMENT_KEY),
      log,
      metrics,
      sendWithinMs: config.ORDER_SEND_WITHIN_MS,
      orderLongestMs: config.ORDER_LONGEST_MS,
      system: config.PUBLIC_URL,
      noticeSecret: { test: config.DUFFEL_TEST_WEBHOOK_SECRET, live: config.DUFFEL_LIVE_WEBHOOK_SECRET },
      answerWithinMs: config.ANSWER_WITHIN_MS,
      prepareWithinMs: config.PREPARE_WITHIN_MS,
      brandOf,
      preview: previews(brandOf, config.PUBLIC_URL, log),
    }
    const modes = Object.keys(suppliers) as ('test' | 'live')[]
    const queue = mailQueue<QueuedMail>(mongo)
    const audit = createAudit(mongo)
    const mailer = createMailer(config.SMTP_URL, config.MAIL_FROM)
    return {
      routers: [mount(backOfficeApi, officeRoutes({ ...context, audit, mails: queue }), http), mount(bookingApi, routes(context), http)],
      consumers: [bookingConsumer(context, copies, audit), mailConsumer(queue)],
      workers: [
        sagaWorker(context),
        tidyWorker(context),
        ageWorker(context),
        attentionWorker(store, queue),
        noticeWorker(context),
        orphanWorker(context, modes, createLease(mongo, 'orphan-orders', SWEEP_LEASE_MS)),
        reconciliationWorker(
          context,
          modes,
          createLease(mongo, 'reconciliation', SWEEP_LEASE_MS),
          reconciliationStore(mongo),
          rebuilder({ context, audit, mails: queue }),
        ),
        mailWorker({ queue, mailer, write: writer(store, brandOf, config.PUBLIC_URL, config.STAFF_EMAIL), log, metrics }),
      ],
      outboxes: [store.outbox],
      prepare: () => store.addCases(),
      stop: async () => mailer.close(),
    }
  },
})
