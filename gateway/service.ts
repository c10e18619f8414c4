/** The public entry: sessions, cross-site protection, rate limits, the proxy, composed responses and the website. */

import { accountApi } from '@passerelle/contracts/http/account'
import { allContracts } from '@passerelle/contracts/http/all'
import { bookingApi } from '@passerelle/contracts/http/booking'
import { identityApi } from '@passerelle/contracts/http/identity'
import { messagesApi } from '@passerelle/contracts/http/messages'
import { paymentApi } from '@passerelle/contracts/http/payment'
import { searchApi } from '@passerelle/contracts/http/search'
import { secretFrom } from '@passerelle/kit/auth'
import { ConfigurationError, Flag } from '@passerelle/kit/configuration'
import { peer } from '@passerelle/kit/peer'
import { withDeadline } from '@passerelle/kit/resilience'
import { defineService } from '@passerelle/kit/service'
import { Router } from 'express'
import { z } from 'zod'
import { answerMemory } from './answer-memory.ts'
import { apiDocs } from './api-docs.ts'
import { brandContext } from './caller.ts'
import { createBooking } from './compose/create-booking.ts'
import { exportAccount } from './compose/export-account.ts'
import { processCard } from './compose/process-card.ts'
import { retrieveBooking } from './compose/retrieve-booking.ts'
import { sessionCookies } from './cookies.ts'
import { rateLimits } from './limits.ts'
import { identifyVisitor, rejectCrossSite, setSecurityHeaders } from './middleware.ts'
import { pagesOf } from './page.ts'
import { proxyRoutes } from './proxy.ts'
import { publicReads } from './public-reads.ts'
import { searchTally } from './search-tally.ts'
import { sessionCache } from './session.ts'
import { site } from './site.ts'

export const gateway = defineService({
  name: 'gateway',
  config: z.object({
    SEARCH_URL: z.url(),
    BOOKING_URL: z.url(),
    PAYMENT_URL: z.url(),
    IDENTITY_URL: z.url(),
    BRAND_URL: z.url(),
    /** Load balancers keep idle connections for a minute. */
    KEEP_ALIVE_MS: z.coerce.number().int().positive().default(65_000),
    /** Folder of the built website. */
    WEB_DIST: z.string().default('web/dist'),
    /** The site is served over https: cookies are Secure and carry the __Host- prefix. */
    SECURE_COOKIES: Flag,
    /** Our own proxies in front, whose X-Forwarded-For is believed. */
    TRUSTED_HOPS: z.coerce.number().int().min(0).max(5).default(0),
    /** How long a guest's booking waits for the account it creates. */
    ACCOUNT_WITHIN_MS: z.coerce.number().int().min(100).default(3000),
    /** Slow requests that one network may have; without effect behind our own proxies, where all visitors are one network. */
    SLOW_REQUESTS_PER_NETWORK: z.coerce.number().int().positive().default(50),
    /** Megabytes of ready answers that are kept in memory; 0 keeps none. */
    ANSWER_MEMORY_MB: z.coerce.number().int().min(0).max(1024).default(64),
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
    /** Of live mode; the browser gets it on the page of the card fields. */
    STRIPE_LIVE_PUBLISHABLE_KEY: z
      .string()
      .regex(/^pk_live_/, 'must be a publishable key of live mode')
      .optional(),
    /** Another address of the provider's script than its own: a simulator. */
    STRIPE_SCRIPT_URL: z.url().optional(),
  }),
  needs: { redis: true },
  async setup({ config, cache, tokens, log, metrics }) {
    if (config.NODE_ENV === 'production' && !config.SECURE_COOKIES)
      throw new ConfigurationError('gateway', ['SECURE_COOKIES: must be true in production'])
    const urls = {
      search: config.SEARCH_URL,
      booking: config.BOOKING_URL,
      payment: config.PAYMENT_URL,
      identity: config.IDENTITY_URL,
      brand: config.BRAND_URL,
    }
    const identity = peer(identityApi, urls.identity, tokens)
    const booking = peer(bookingApi, urls.booking, tokens)
    const payment = peer(paymentApi, urls.payment, tokens)
    const factor = config.RATE_LIMIT_FACTOR
    const brands = brandContext(urls.brand, tokens, log)
    const cookies = sessionCookies(config.SECURE_COOKIES)
    const secret = secretFrom(config.INTERNAL_KEY, 'session copies')
    const sessions = sessionCache({ cache, identity, log, metrics, secret, factor })
    const limits = rateLimits(cache, metrics, factor)
    const tally = searchTally(peer(searchApi, urls.search, tokens))
    const accountWithinMs = config.ACCOUNT_WITHIN_MS
    const guest = { identity, brands, cookies, log, sessionWithinMs: accountWithinMs / 2 }
    const composed = {
      createBooking: createBooking({ ...guest, booking, sessions, accountWithinMs }),
      processCard: processCard({ ...guest, payment }),
      retrieveBooking: retrieveBooking({ booking, brands, limits }),
      exportAccount: exportAccount({
        account: peer(accountApi, urls.identity, tokens),
        booking,
        messages: peer(messagesApi, urls.brand, tokens),
        brands,
      }),
    }
    const memory = answerMemory({
      reads: publicReads(allContracts, pagesOf(config.WEB_DIST)),
      brands,
      cookies,
      sessions,
      limits,
      tally,
      metrics,
      secure: config.SECURE_COOKIES,
      trustedHops: config.TRUSTED_HOPS,
      maxBytes: config.ANSWER_MEMORY_MB * 1024 * 1024,
    })
    const { STRIPE_LIVE_PUBLISHABLE_KEY: publishableKey, STRIPE_SCRIPT_URL: script = null } = config
    const cardFields = publishableKey === undefined ? null : { publishableKey, script }
    const middleware = Router()
    middleware.use(setSecurityHeaders(config.SECURE_COOKIES), identifyVisitor(cookies, config.TRUSTED_HOPS))
    middleware.use('/api', rejectCrossSite(config.SECURE_COOKIES))
    return {
      routers: [
        middleware,
        apiDocs(),
        proxyRoutes(allContracts, { urls, tokens, brands, cookies, sessions, limits, metrics, log, composed }),
        site(config.WEB_DIST, { brands, sessions, secure: config.SECURE_COOKIES, cardFields }),
      ],
      front: memory.front,
      workers: [
        {
          name: 'search-tally',
          everyMs: 2000,
          async run() {
            await tally.flush()
            return false
          },
        },
      ],
      async stop() {
        memory.stop()
        await limits.stop()
        await withDeadline('the last counts', 3000, tally.flush()).catch((err) =>
          log.warn({ err }, 'the last counts of searches were lost'),
        )
      },
      ...(config.TRUSTED_HOPS === 0 && { slowPerNetwork: config.SLOW_REQUESTS_PER_NETWORK }),
    }
  },
})
