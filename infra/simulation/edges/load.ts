/** The product's services, as they are but for the edges of their processes: `service.ts` of each gets these from here. */
import { registerHooks } from 'node:module'
import type { ServiceDefinition } from '@passerelle/kit/service'

const EDGES = new Map([
  ['@passerelle/kit/http', 'http.ts'],
  ['@passerelle/kit/peer', 'peer.ts'],
  ['@passerelle/kit/mail', 'mail.ts'],
  ['./duffel.ts', 'duffel.ts'],
  ['./stripe.ts', 'stripe.ts'],
])

registerHooks({
  resolve(specifier, context, next) {
    const edge = /\/services\/\w+\/service\.ts$/.test(context.parentURL ?? '') && EDGES.get(specifier)
    return edge ? { url: new URL(edge, import.meta.url).href, shortCircuit: true } : next(specifier, context)
  },
})

const { booking } = await import('@passerelle/booking/service')
const { payment } = await import('@passerelle/payment/service')

export const services = [booking, payment] as unknown as ServiceDefinition[]
