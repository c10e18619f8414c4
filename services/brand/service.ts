/** Brands and the system's mode. */
import { brandApi } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { Flag } from '@passerelle/kit/configuration'
import { mount } from '@passerelle/kit/http'
import { now } from '@passerelle/kit/runtime'
import { defineService } from '@passerelle/kit/service'
import { z } from 'zod'
import { sampleBrands } from './domain/seed-brands.ts'
import { routes } from './routes.ts'
import { brandStore } from './store.ts'

export const brand = defineService({
  name: 'brand',
  config: z.object({
    /** Percent added to supplier amounts where a brand says nothing else. */
    MARKUP_PERCENT: z.coerce.number().min(0).max(100).optional(),
    /** Shown to administrators; "production" is highlighted. */
    ENVIRONMENT: z.string().default('development'),
    /** Two more brands, for trying host names. */
    SAMPLE_BRANDS: Flag,
    LIVE_FLIGHTS_CONFIGURED: Flag,
    LIVE_CARDS_CONFIGURED: Flag,
  }),
  needs: { mongo: true, kafka: true },
  async setup({ config, mongo, http, log }) {
    const store = brandStore(mongo)
    const tools = {
      store,
      log,
      clock: now,
      markupPercent: config.MARKUP_PERCENT,
      environment: config.ENVIRONMENT,
      live: { duffel: config.LIVE_FLIGHTS_CONFIGURED, stripe: config.LIVE_CARDS_CONFIGURED },
    }
    return {
      routers: [mount(brandApi, routes(tools), http)],
      outboxes: store.outboxes,
      prepare: () => store.seed([defaultBrand, ...(config.SAMPLE_BRANDS ? sampleBrands : [])]),
    }
  },
})
