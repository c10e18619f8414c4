/** Instead of the card provider's client: the provider in memory, across the boundary. */
import { type CardProvider, ProviderError } from '@passerelle/payment/stripe'
import { world } from '../runtime.ts'
import { system } from '../system.ts'

const ABOUT = { lost: () => new ProviderError('unknown', {}), timeoutMs: 20_000, latency: [20, 700], repeatable: true } as const

export function stripeProvider(): CardProvider {
  return new Proxy(system().outside.cards, {
    get: (cards, name: keyof CardProvider) => {
      const call = cards[name] as (...given: unknown[]) => Promise<unknown>
      return (...given: unknown[]) => world().cross(`card.${name}`, () => call(...given), ABOUT)
    },
  })
}
