/** Payments: amounts held on cards, then captured or voided. */
import { paymentApi } from '@passerelle/contracts/http/payment'
import { searchApi } from '@passerelle/contracts/http/search'
import { Flag } from '@passerelle/kit/configuration'
import { mount } from '@passerelle/kit/http'
import { keyedHash } from '@passerelle/kit/keyed-hash'
import { peer } from '@passerelle/kit/peer'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { cardAttemptLimiter } from './card-attempts/limiter.ts'
import { cardAttemptStore } from './card-attempts/store.ts'
import { paymentConsumer } from './events.ts'
import { type RouteTools, routes } from './routes.ts'
import { paymentStore } from './store.ts'
import { stripeProvider } from './stripe.ts'
import { unavailable } from './tools.ts'
import { paymentWorker } from './worker.ts'

export const payment = defineService({
  name: 'payment',
  config: z.object({
    SEARCH_URL: z.url(),
    STRIPE_TEST_KEY: z
      .string()
      .regex(/^(sk|rk)_test_/, 'must be a key of test mode')
      .optional(),
    STRIPE_LIVE_KEY: z
      .string()
      .regex(/^(sk|rk)_live_/, 'must be a key of live mode')
      .optional(),
    /** Somewhere else than the provider itself: a simulator. */
    STRIPE_TEST_URL: z.url().optional(),
    STRIPE_LIVE_URL: z.url().optional(),
    STRIPE_TEST_WEBHOOK_SECRET: z.string().optional(),
    STRIPE_LIVE_WEBHOOK_SECRET: z.string().optional(),
    STRIPE_TIMEOUT_MS: z.coerce.number().int().positive().default(10_000),
    /** Live mode takes card numbers: the whole system is then in scope of the card industry's full questionnaire. */
    ALLOW_RAW_CARDS: Flag,
    /** A hold that no booking claims is voided so long after the last sign of its visitor, and so long after it was made. */
    HOLD_IDLE_SECONDS: z.coerce.number().positive().default(120),
    HOLD_SECONDS: z.coerce.number().positive().default(900),
    /** The bank's question to its customer is withdrawn so long after it was asked. */
    CHALLENGE_SECONDS: z.coerce.number().positive().default(600),
    /** For the hashes under which keys and addresses of visitors are stored; 32 bytes, base64. */
    HASH_KEY: z.string().min(40),
    /** After so many declines within the window a visitor, or a network, may not try any card for a while. */
    CARD_DECLINES_PER_VISITOR: z.coerce.number().int().positive().default(3),
    CARD_DECLINES_PER_NETWORK: z.coerce.number().int().positive().default(15),
    CARD_DECLINES_WINDOW_SECONDS: z.coerce.number().positive().default(3600),
    CARD_STOP_SECONDS: z.coerce.number().positive().default(1800),
    PAYMENT_ANSWER_MS: z.coerce.number().int().positive().default(22_000),
    PAYMENT_WAIT_MS: z.coerce.number().int().nonnegative().default(5000),
  }),
  needs: { mongo: true, kafka: true },
  async setup({ config, mongo, http, tokens, log, metrics }) {
    const store = paymentStore(mongo, { metrics, log })
    const client = (key: string | undefined, url: string | undefined) =>
      key === undefined ? undefined : stripeProvider({ key, url, timeoutMs: config.STRIPE_TIMEOUT_MS, metrics })
    const providers = {
      test: client(config.STRIPE_TEST_KEY, config.STRIPE_TEST_URL),
      live: client(config.STRIPE_LIVE_KEY, config.STRIPE_LIVE_URL),
    }
    const hash = keyedHash(config.HASH_KEY)
    const cardAttempts = cardAttemptLimiter({
      store: cardAttemptStore(mongo),
      hash,
      limits: {
        perVisitor: config.CARD_DECLINES_PER_VISITOR,
        perNetwork: config.CARD_DECLINES_PER_NETWORK,
        windowMs: config.CARD_DECLINES_WINDOW_SECONDS * 1000,
        stopMs: config.CARD_STOP_SECONDS * 1000,
        waitMs: config.PAYMENT_WAIT_MS,
      },
      log,
      metrics,
    })
    const tools: RouteTools = {
      store,
      provider(mode) {
        const provider = providers[mode]
        if (!provider) throw unavailable(new Error(`no card provider is configured for ${mode} mode`))
        return provider
      },
      search: peer(searchApi, config.SEARCH_URL, tokens),
      webhookSecret: { test: config.STRIPE_TEST_WEBHOOK_SECRET, live: config.STRIPE_LIVE_WEBHOOK_SECRET },
      log,
      metrics,
      hash,
      cardAttempts,
      holdTimes: {
        holdMs: config.HOLD_SECONDS * 1000,
        idleMs: config.HOLD_IDLE_SECONDS * 1000,
        challengeMs: config.CHALLENGE_SECONDS * 1000,
      },
      allowRawCards: config.ALLOW_RAW_CARDS,
      answerMs: config.PAYMENT_ANSWER_MS,
      waitMs: config.PAYMENT_WAIT_MS,
    }
    return {
      routers: [mount(paymentApi, routes(tools), http)],
      consumers: [paymentConsumer(tools)],
      workers: [paymentWorker(tools)],
      outboxes: [store.outbox],
    }
  },
})
