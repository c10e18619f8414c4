import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bench, book, freeSeats, isFrom, orderOf, pick, refusalOf, sameFlights, search, startBench } from './test-client.fixture.ts'

let bench: Bench
beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench.stop())

describe('ordering through the real client', () => {
  it('makes an order that is listed with its metadata, alone by its offer', async () => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    const order = await book(bench, offer, { metadata: { booking_id: 'bk_1' } })
    expect(order.id).toMatch(/^ord_0000[0-9A-Za-z]{18}$/)
    expect(order.booking_reference).toMatch(/^[A-Z2-9]{6}$/)
    expect(order).toMatchObject({
      offer_id: offer.id,
      total_amount: offer.total_amount,
      total_currency: 'EUR',
      metadata: { booking_id: 'bk_1' },
      cancelled_at: null,
    })
    expect(order.available_actions).toContain('cancel')
    const ids = async (filter: object) => (await bench.duffel.orders.list(filter)).data.map(({ id }) => id)
    expect(await ids({ offer_id: offer.id })).toEqual([order.id])
    expect(await ids({ offer_id: 'off_0000000000000000000000' })).toEqual([])
    expect((await ids({}))[0]).toBe(order.id)
    expect((await refusalOf(bench.duffel.orders.list({ booking_reference: 'ABC234' }))).status).toBe(422)
  })

  it('books an offer request once', async () => {
    const found = await search(bench)
    const [one, two] = [pick(found, isFrom('ZZ')), pick(found, isFrom('TP'))]
    await book(bench, one)
    expect(await refusalOf(book(bench, two))).toEqual({ status: 422, codes: ['offer_request_already_booked'] })
    expect(await refusalOf(book(bench, one))).toEqual({ status: 422, codes: ['offer_request_already_booked'] })
  })

  it('lets one of twenty simultaneous orders for an offer through', async () => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => book(bench, offer)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await bench.ledger()).orders.filter((order) => order.offer_id === offer.id)).toHaveLength(1)
  })

  it('wants the exact amount in the right currency', async () => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    const pay = (amount: string, currency = 'EUR') => refusalOf(book(bench, offer, { payments: [{ type: 'balance', amount, currency }] }))
    const more = (Number(offer.total_amount) + 0.01).toFixed(2)
    expect((await pay(more)).codes).toEqual(['payment_amount_does_not_match_order_amount'])
    expect((await pay(offer.total_amount, 'USD')).codes).toEqual(['payment_currency_does_not_match_order_currency'])
    expect((await pay('a lot')).codes).toEqual(['validation_format'])
    expect((await refusalOf(book(bench, offer, { payments: [] }))).codes).toEqual(['validation_required'])
    expect(
      (await refusalOf(book(bench, offer, { payments: [{ type: 'arc_bsp_cash', amount: offer.total_amount, currency: 'EUR' }] }))).codes,
    ).toEqual(['validation_inclusion'])
  })

  it('keeps the frequent flyer numbers that the offer takes, and leaves others out without a word', async () => {
    const offer = pick(await search(bench), isFrom('AF'))
    expect(offer.supported_loyalty_programmes).toEqual(['AF', 'KL', 'DL'])
    const [passenger] = orderOf(offer).passengers
    const withAccounts = (...accounts: [code: string, number: string][]) => ({
      passengers: [
        {
          ...passenger!,
          loyalty_programme_accounts: accounts.map(([airline_iata_code, account_number]) => ({ airline_iata_code, account_number })),
        },
      ],
    })
    for (const [accounts, code] of [
      [[['Air France', '123456']], 'validation_format'],
      [[['AF', '12 34']], 'validation_format'],
      [
        [
          ['AF', '123456'],
          ['AF', '654321'],
        ],
        'validation_unique',
      ],
    ] as [[string, string][], string][])
      expect((await refusalOf(book(bench, offer, withAccounts(...accounts)))).codes).toEqual([code])
    const order = await book(bench, offer, withAccounts(['KL', '123456'], ['BA', '654321']))
    const kept = [{ airline_iata_code: 'KL', account_number: '123456' }]
    expect(order.passengers[0]!.loyalty_programme_accounts).toEqual(kept)
    expect((await bench.ledger()).orders.find(({ id }) => id === order.id)?.loyalty_programme_accounts).toEqual(kept)
    const noFrills = await search(bench, { from: 'ORY', to: 'BCN' })
    expect(pick(noFrills, isFrom('VY')).supported_loyalty_programmes).toEqual([])
  })

  it('takes yen without decimals', async () => {
    const offer = pick(await search(bench, { from: 'HND', to: 'CTS' }), isFrom('NH'))
    expect((await book(bench, offer)).total_amount).toBe(offer.total_amount)
  })

  it('sells seats and bags with the order, adds them to the total, and takes the seats from everybody else', async () => {
    const found = await search(bench, { from: 'CDG', to: 'OPO' })
    const offer = pick(found, isFrom('ZZ'))
    const [map] = (await bench.duffel.seatMaps.get({ offer_id: offer.id })).data
    const seat = freeSeats(map!, offer.passengers[0]!.id)[0]!
    const bag = (await bench.duffel.offers.get(offer.id, { return_available_services: true })).data.available_services[0]!
    const total = (Number(offer.total_amount) + 40).toFixed(2)
    const services = [
      { id: seat.id, quantity: 1 },
      { id: bag.id, quantity: 1 },
    ]
    expect((await refusalOf(book(bench, offer, { services }))).codes).toEqual(['payment_amount_does_not_match_order_amount'])
    const order = await book(bench, offer, { services, payments: [{ type: 'balance', amount: total, currency: 'EUR' }] })
    expect(order.total_amount).toBe(total)
    expect(order.services.map(({ type, total_amount }) => [type, total_amount])).toEqual([
      ['seat', '20.00'],
      ['baggage', '20.00'],
    ])
    expect(order.services[0]!.metadata).toMatchObject({ designator: seat.designator })
    const again = pick(await search(bench, { from: 'CDG', to: 'OPO' }), sameFlights(offer))
    const [later] = (await bench.duffel.seatMaps.get({ offer_id: again.id })).data
    expect(freeSeats(later!, again.passengers[0]!.id).map(({ designator }) => designator)).not.toContain(seat.designator)
  })

  it('refuses a seat that somebody bought in the meantime', async () => {
    const wish = { from: 'CDG', to: 'VIE' }
    const [one, two] = [pick(await search(bench, wish), isFrom('ZZ')), pick(await search(bench, wish), isFrom('ZZ'))]
    const seatOf = async (offer: typeof one) =>
      freeSeats((await bench.duffel.seatMaps.get({ offer_id: offer.id })).data[0]!, offer.passengers[0]!.id)[0]!
    const [first, second] = [await seatOf(one), await seatOf(two)]
    expect(first.designator).toBe(second.designator)
    const paid = { payments: [{ type: 'balance' as const, amount: (Number(one.total_amount) + 20).toFixed(2), currency: 'EUR' }] }
    await book(bench, one, { services: [{ id: first.id, quantity: 1 }], ...paid })
    expect(await refusalOf(book(bench, two, { services: [{ id: second.id, quantity: 1 }], ...paid }))).toEqual({
      status: 422,
      codes: ['ancillary_service_not_available'],
    })
  })

  it('refuses services of another offer, one seat for two, and two seats for one', async () => {
    const found = await search(bench, { passengers: ['adult', 'adult'] })
    const [offer, other] = [pick(found, isFrom('ZZ')), pick(found, isFrom('TP'))]
    const [map] = (await bench.duffel.seatMaps.get({ offer_id: offer.id })).data
    const [mine, theirs] = offer.passengers.map(({ id }) => freeSeats(map!, id))
    const order = (ids: string[]) => refusalOf(book(bench, offer, { services: ids.map((id) => ({ id, quantity: 1 })) }))
    expect((await order([mine![0]!.id, theirs![0]!.id])).codes).toEqual(['validation_unique'])
    expect((await order([mine![0]!.id, mine![1]!.id])).codes).toEqual(['validation_unique'])
    const foreign = (await bench.duffel.offers.get(other.id, { return_available_services: true })).data.available_services[0]!
    expect((await order([foreign.id])).codes).toEqual(['validation_inclusion'])
  })

  it('wants all passengers of the offer and nobody else', async () => {
    const offer = pick(await search(bench, { passengers: ['adult', 'adult'] }), isFrom('ZZ'))
    const { passengers } = orderOf(offer)
    expect((await refusalOf(book(bench, offer, { passengers: passengers.slice(0, 1) }))).codes).toEqual(['validation_required'])
    const strange = passengers.map((one, at) => (at === 0 ? { ...one, id: 'pas_0000000000000000000000' } : one))
    expect((await refusalOf(book(bench, offer, { passengers: strange }))).codes.toSorted()).toEqual([
      'validation_inclusion',
      'validation_required',
    ])
    const twins = passengers.map((one) => ({ ...one, given_name: 'Ines' }))
    expect((await refusalOf(book(bench, offer, { passengers: twins }))).codes).toEqual(['duplicate_passenger_name'])
  })

  it.each([
    [{ title: 'sir' }, 'invalid_passenger_title'],
    [{ gender: 'x' }, 'validation_inclusion'],
    [{ given_name: 'Anne-Marie Charlotte Louise' }, 'validation_length'],
    [{ given_name: 'Ælfred' }, 'validation_format'],
    [{ family_name: 'Moreau2' }, 'validation_format'],
    [{ family_name: '' }, 'validation_required'],
    [{ phone_number: '0123456789' }, 'invalid_phone_number'],
    [{ email: 'ines.example.org' }, 'invalid_email_address'],
    [{ born_on: '1990-02-30' }, 'validation_format'],
    [{ born_on: '2022-01-15' }, 'validation_inclusion'],
    [{ nationality: 'FR' }, 'validation_inclusion'],
  ])('refuses the passenger %o with %s', async (wrong, code) => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    const [passenger] = orderOf(offer).passengers
    const passengers = [{ ...passenger!, ...wrong }] as ReturnType<typeof orderOf>['passengers']
    expect(await refusalOf(book(bench, offer, { passengers }))).toEqual({ status: 422, codes: [code] })
  })

  it('accepts names with accents, hyphens and apostrophes', async () => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    const [passenger] = orderOf(offer).passengers
    const order = await book(bench, offer, { passengers: [{ ...passenger!, given_name: 'Zoë-Anaïs', family_name: "O'Çelik Šmid" }] })
    expect(order.passengers[0]).toMatchObject({ given_name: 'Zoë-Anaïs', family_name: "O'Çelik Šmid" })
  })

  it('links each infant to one adult, and holds ages against types', async () => {
    const offer = pick(await search(bench, { passengers: ['adult', 'adult', 'child', 'infant_without_seat'] }), isFrom('ZZ'))
    const { passengers } = orderOf(offer)
    const changed = (at: number, more: object) => passengers.map((one, position) => (position === at ? { ...one, ...more } : one))
    const code = async (list: typeof passengers) => (await refusalOf(book(bench, offer, { passengers: list }))).codes
    expect(await code(changed(0, { infant_passenger_id: undefined }))).toEqual(['validation_required'])
    expect(await code(changed(1, { infant_passenger_id: passengers[3]!.id }))).toEqual(['validation_unique'])
    expect((await code(changed(0, { infant_passenger_id: passengers[2]!.id }))).toSorted()).toEqual([
      'validation_inclusion',
      'validation_required',
    ])
    expect(await code(changed(2, { born_on: '1990-02-14' }))).toEqual(['validation_inclusion'])
    const order = await book(bench, offer)
    expect(order.passengers.map(({ type }) => type)).toEqual(['adult', 'adult', 'child', 'infant_without_seat'])
    expect(order.passengers[0]!.infant_passenger_id).toBe(passengers[3]!.id)
  })

  it('wants passports where the offer says so, valid until the last departure', async () => {
    const offer = pick(await search(bench, { to: 'JFK' }), (one) => one.passenger_identity_documents_required)
    const [passenger] = orderOf(offer).passengers
    const withDocuments = (identity_documents: object[] | undefined) =>
      refusalOf(book(bench, offer, { passengers: [{ ...passenger!, identity_documents }] as ReturnType<typeof orderOf>['passengers'] }))
    const passport = passenger!.identity_documents![0]!
    expect((await withDocuments(undefined)).codes).toEqual(['validation_required'])
    expect((await withDocuments([{ ...passport, expires_on: '2020-01-01' }])).codes).toEqual(['validation_inclusion'])
    expect((await withDocuments([{ ...passport, issuing_country_code: 'France' }])).codes).toEqual(['validation_format'])
    expect((await withDocuments([{ ...passport, type: 'tax_id' }])).codes).toEqual(['validation_inclusion'])
    expect((await withDocuments([passport, passport])).codes).toEqual(['validation_length'])
    expect((await book(bench, offer)).id).toMatch(/^ord_/)
  })

  it('refuses more metadata than Duffel keeps, and unknown parts of an order', async () => {
    const offer = pick(await search(bench), isFrom('ZZ'))
    const refused = async (more: object) => (await refusalOf(book(bench, offer, more))).codes
    expect(await refused({ metadata: { note: 'x'.repeat(501) } })).toEqual(['validation_length'])
    expect(await refused({ metadata: { [`k${'x'.repeat(40)}`]: 'x' } })).toEqual(['validation_length'])
    expect(await refused({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'x'])) })).toEqual([
      'validation_length',
    ])
    expect(await refused({ metadata: { count: 3 } })).toEqual(['validation_type'])
    expect(await refused({ idempotency_key: 'abc' })).toEqual(['validation_inclusion'])
    expect(await refused({ selected_offers: [offer.id, offer.id] })).toEqual(['validation_length'])
    expect(await refused({ type: 'pay_later' })).toEqual(['validation_inclusion'])
  })

  it('lists orders newest first, page by page', async () => {
    const own = await startBench()
    const made = [
      await book(own, pick(await search(own))),
      await book(own, pick(await search(own))),
      await book(own, pick(await search(own))),
    ]
    const first = await own.duffel.orders.list({ limit: 2 })
    const second = await own.duffel.orders.list({ limit: 2, after: first.meta!.after! })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse())
    expect(second.meta!.after).toBeNull()
    expect((await refusalOf(own.duffel.orders.list({ after: 'ord_nobody' }))).codes).toEqual(['validation_format'])
    await own.stop()
  })

  it('refuses offers after 30 minutes and forgets them an hour later', async () => {
    const own = await startBench()
    const offer = pick(await search(own), isFrom('ZZ'))
    expect(Date.parse(offer.expires_at) - Date.parse(offer.created_at)).toBe(30 * 60_000)
    await own.control('clock', { advanceSeconds: 30 * 60 + 1 })
    expect((await refusalOf(book(own, offer))).codes).toEqual(['offer_expired'])
    expect((await refusalOf(own.duffel.offers.get(offer.id))).codes).toEqual(['offer_expired'])
    await own.control('clock', { advanceSeconds: 60 * 60 })
    await search(own)
    expect(await refusalOf(own.duffel.offers.get(offer.id))).toEqual({ status: 404, codes: ['not_found'] })
    await own.stop()
  })
})

describe('cancelling', () => {
  const cancel = async (id: string) => (await bench.duffel.orderCancellations.create({ order_id: id })).data

  it('takes two steps: a quote changes nothing, its confirmation refunds the total less the penalty', async () => {
    const offer = pick(await search(bench), (one) => isFrom('ZZ')(one) && one.conditions.refund_before_departure?.allowed === true)
    const order = await book(bench, offer)
    const quote = await cancel(order.id)
    expect(quote).toMatchObject({ order_id: order.id, confirmed_at: null, refund_to: 'balance', refund_currency: 'EUR' })
    expect(quote.refund_amount).toBe((Number(order.total_amount) - 40).toFixed(2))
    expect(Date.parse(quote.expires_at) - Date.parse(quote.created_at)).toBe(60 * 60_000)
    const stored = async () => (await bench.duffel.orders.list({ offer_id: offer.id } as object)).data[0]!
    expect((await stored()).cancelled_at).toBeNull()
    const { data: confirmed } = await bench.duffel.orderCancellations.confirm(quote.id)
    expect(confirmed.confirmed_at).not.toBeNull()
    const after = await stored()
    expect(after.cancelled_at).not.toBeNull()
    expect(after.available_actions).toEqual([])
    expect((await bench.duffel.orderCancellations.list({ order_id: order.id })).data).toEqual([confirmed])
    expect((await refusalOf(cancel(order.id))).codes).toEqual(['already_cancelled'])
    expect((await refusalOf(bench.duffel.orderCancellations.confirm(quote.id))).codes).toEqual(['already_cancelled'])
  })

  it('gives nothing back for a fare that refunds nothing', async () => {
    const offer = pick(await search(bench), (one) => isFrom('ZZ')(one) && one.conditions.refund_before_departure?.allowed === false)
    expect((await cancel((await book(bench, offer)).id)).refund_amount).toBe('0.00')
  })

  it('refuses to cancel what the airline does not let go', async () => {
    const offer = pick(await search(bench), (one) => isFrom('U2')(one) && one.slices[0]!.fare_brand_name === 'Standard')
    const order = await book(bench, offer)
    expect(order.available_actions).not.toContain('cancel')
    expect((await refusalOf(cancel(order.id))).codes).toEqual(['unsupported_action'])
  })

  it('refuses a quote that a newer one replaced, and one that is over an hour old', async () => {
    const own = await startBench()
    const quote = async (id: string) => (await own.duffel.orderCancellations.create({ order_id: id })).data
    const order = await book(own, pick(await search(own), isFrom('ZZ')))
    const [first, second] = [await quote(order.id), await quote(order.id)]
    expect((await refusalOf(own.duffel.orderCancellations.confirm(first.id))).codes).toEqual(['order_cancellation_stale'])
    await own.control('clock', { advanceSeconds: 3601 })
    expect((await refusalOf(own.duffel.orderCancellations.confirm(second.id))).codes).toEqual(['order_cancellation_stale'])
    await own.control('clock', { advanceSeconds: 41 * 86_400 })
    expect((await own.duffel.orders.list()).data[0]!.available_actions).toEqual([])
    expect((await refusalOf(quote(order.id))).codes).toEqual(['unsupported_action'])
    await own.stop()
  })

  it('frees the seats again', async () => {
    const offer = pick(await search(bench, { to: 'ATH' }), isFrom('ZZ'))
    const seatsOf = async (id: string, passenger: string) =>
      freeSeats((await bench.duffel.seatMaps.get({ offer_id: id })).data[0]!, passenger)
    const seat = (await seatsOf(offer.id, offer.passengers[0]!.id))[0]!
    const order = await book(bench, offer, {
      services: [{ id: seat.id, quantity: 1 }],
      payments: [{ type: 'balance', amount: (Number(offer.total_amount) + 20).toFixed(2), currency: 'EUR' }],
    })
    await bench.duffel.orderCancellations.confirm((await cancel(order.id)).id)
    const again = pick(await search(bench, { to: 'ATH' }), sameFlights(offer))
    expect((await seatsOf(again.id, again.passengers[0]!.id)).map(({ designator }) => designator)).toContain(seat.designator)
  })

  it('refunds in full within a day of booking a flight from the United States', async () => {
    const offer = pick(await search(bench, { from: 'JFK', to: 'LAX' }), (one) => one.conditions.refund_before_departure?.allowed === false)
    const order = await book(bench, offer)
    expect((await cancel(order.id)).refund_amount).toBe(order.total_amount)
  })
})
