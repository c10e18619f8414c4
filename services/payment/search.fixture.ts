/** For tests: a search service that knows the price of a few offers, and refuses what is not in its contract. */

import { AppError } from '@passerelle/contracts/error'
import type { Mode, Money } from '@passerelle/contracts/http/common'
import { type Quote, searchApi } from '@passerelle/contracts/http/search'
import { contract } from '@passerelle/contracts/route'
import { addAmounts } from '@passerelle/contracts/rules/money'
import type { Tokens } from '@passerelle/kit/auth'
import { createApp, mount } from '@passerelle/kit/http'
import { createLog } from '@passerelle/kit/log'
import { createMetrics } from '@passerelle/kit/metrics'
import { type HttpServer, listen } from '@passerelle/kit/server'

const offers: Record<string, Money & { mode?: Mode; shown?: string }> = {
  off_paris: { amount: '274.00', currency: 'EUR' },
  off_tokyo: { amount: '30123', currency: 'JPY' },
  off_reykjavik: { amount: '21500', currency: 'ISK' },
  off_kuwait: { amount: '95.000', currency: 'KWD' },
  off_dearer: { amount: '290.00', currency: 'EUR', shown: '274.00' },
  off_live: { amount: '274.00', currency: 'EUR', mode: 'live' },
}
export const SEAT_PRICE = '30.00'

export type SearchFixture = HttpServer & { quotes: number; expire(offerId: string): void }

export async function startSearchFixture(tokens: Tokens): Promise<SearchFixture> {
  const log = createLog('search', 'silent')
  const expired = new Set<string>()
  let quotes = 0
  const api = contract('search', { quote: searchApi.routes.quote })
  const router = mount(
    api,
    {
      async quote({ params, body, caller }) {
        quotes += 1
        if (expired.has(params.id)) throw new AppError('OFFER_EXPIRED')
        const price = offers[params.id]
        if (!price) throw new AppError('OFFER_NOT_FOUND')
        if (body.seats.some((seat) => seat.seatId === '99Z')) throw new AppError('SEAT_UNAVAILABLE')
        const shownTotal = { amount: price.shown ?? price.amount, currency: price.currency }
        return { ...quoteOf(params.id, price, body.seats), shownTotal, mode: price.mode ?? caller.mode }
      },
    },
    { tokens, audience: 'search', log, metrics: createMetrics('search') },
  )
  const server = await listen(createApp([router], log), '127.0.0.1', 0)
  return Object.assign(server, {
    get quotes() {
      return quotes
    },
    expire: (offerId: string) => void expired.add(offerId),
  })
}

type Chosen = { passengerId: string; seatId: string; segmentId: string }

function quoteOf(id: string, { amount, currency }: Money, chosen: Chosen[]): Omit<Quote, 'mode' | 'shownTotal'> {
  const seats = chosen.map((seat) => ({ ...seat, price: { amount: SEAT_PRICE, currency }, supplierAmount: '24.00' }))
  const money = (total: string) => ({ total_amount: total, total_currency: currency, base_amount: total, base_currency: currency })
  return {
    seats,
    charge: { amount: addAmounts(amount, ...seats.map(() => SEAT_PRICE)), currency },
    supplierCharge: { amount, currency },
    supplier: {
      offerId: `supplier_${id}`,
      total: { amount, currency },
      passengers: [{ id: 'pas_1', supplierId: 'sp_1', type: 'adult' }],
      segments: [],
      services: [],
      identityDocuments: { required: false, passportSupported: true },
    },
    offer: {
      id,
      ...money(amount),
      tax_amount: '0',
      tax_currency: currency,
      price: { total: amount, base: amount, tax: '0', currency, markupPercent: 23 },
      created_at: '2026-11-01T08:00:00Z',
      expires_at: '2099-01-01T00:00:00Z',
      owner: { name: 'Test Air', iata_code: 'ZZ', logo_url: null },
      conditions: { refundable: true, changeable: false, refund: null, change: null },
      available_services: [],
      passenger_identity_documents_required: false,
      payment_requirements: { price_guarantee_expires_at: null, payment_required_by: null },
      passengers: [{ id: 'pas_1', type: 'adult' }],
      slices: [],
      baggage_included: true,
    },
  }
}
