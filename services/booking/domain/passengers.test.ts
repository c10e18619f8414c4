import type { AppError } from '@passerelle/contracts/error'
import type { Passenger } from '@passerelle/contracts/rules/passengers'
import { describe, expect, test } from 'vitest'
import { bookingRecord, quote } from './booking.fixture.ts'
import { toPublic } from './booking.ts'
import { judgeRefusal, orderRequest, withoutDocuments } from './order.ts'
import { formPassengers, passengersText } from './passengers.ts'

const thrown = (work: () => unknown): AppError => {
  try {
    work()
  } catch (error) {
    return error as AppError
  }
  throw new Error('nothing was thrown')
}

describe('the passengers of a request', () => {
  const ines: Passenger = {
    type: 'adult',
    title: 'ms',
    firstName: 'Inès',
    lastName: 'Moreau',
    dateOfBirth: '1990-02-14',
    email: 'ines@example.org',
    phone: '01 23 45 67 89',
    passportNumber: '19KL56147',
    passportExpiryDate: '2031-04-25',
    passportIssuingCountry: 'FR',
  }
  const paul: Passenger = {
    ...ines,
    type: 'child',
    title: undefined,
    gender: 'male',
    firstName: 'Paul',
    dateOfBirth: '2018-05-05',
    email: undefined,
    phone: undefined,
  }
  const zoe: Passenger = { ...paul, type: 'infant_without_seat', gender: 'female', firstName: 'Zoë', dateOfBirth: '2026-01-05' }

  test('R-37: missing contact falls back to the first passenger, gender and title to each other', () => {
    const { people } = formPassengers([ines, paul, zoe], quote, '2026-11-21')
    expect(people[1]).toMatchObject({
      id: 'pas_2',
      email: 'ines@example.org',
      phone: '+33123456789',
      title: 'mr',
      gender: 'm',
      firstName: 'Paul',
    })
    expect(people[0]).toMatchObject({ firstName: 'Inès', phone: '+33123456789' })
  })

  test('ABOOK-09: number and types must match the offer', () => {
    expect(thrown(() => formPassengers([ines], quote, '2026-11-21')).code).toBe('PASSENGERS_MISMATCH')
    expect(thrown(() => formPassengers([ines, ines, zoe], quote, '2026-11-21')).code).toBe('PASSENGERS_MISMATCH')
  })

  test('ABOOK-08: passport rules hold on the server, reported by field', () =>
    expect(thrown(() => formPassengers([ines, { ...paul, passportNumber: undefined }, zoe], quote, '2026-11-21')).issues).toEqual([
      { path: 'passengers.1.passportNumber', message: 'Passport number must be at least 5 characters' },
    ]))

  test('PAX-35: what the airline still needs is named by passenger and field', () => {
    const error = thrown(() => formPassengers([ines, { ...paul, gender: undefined }, zoe], quote, '2026-11-21'))
    expect(error.code).toBe('PASSENGER_INCOMPLETE')
    expect(error.issues?.map((issue) => issue.path)).toEqual(['passengers.1.gender', 'passengers.1.title'])
  })

  test('the order names each infant on an adult, in Latin letters and with the exact supplier amount', () => {
    const { people, documents } = formPassengers([ines, paul, zoe], quote, '2026-11-21')
    const request = orderRequest(bookingRecord({ people }), documents, 'http://localhost:8080')
    expect(request.payments).toEqual([{ type: 'balance', amount: '222.50', currency: 'EUR' }])
    expect(request.passengers[0]).toMatchObject({ id: 'pas_a', given_name: 'Ines', infant_passenger_id: 'pas_c', born_on: '1990-02-14' })
    expect(request.passengers[0]?.identity_documents).toEqual([
      { type: 'passport', unique_identifier: '19KL56147', issuing_country_code: 'FR', expires_on: '2031-04-25' },
    ])
    expect(request.passengers[2]).toMatchObject({ id: 'pas_c', given_name: 'Zoe' })
    expect(request.metadata.booking_id).toBe('bk_1')
  })

  const withProgrammes = { ...quote, offer: { ...quote.offer, supported_loyalty_programmes: ['TP', 'LH'] } }
  const member: Passenger = { ...ines, frequentFlyerAirline: 'TP', frequentFlyerNumber: 'TAP4455667' }

  test('a frequent flyer number goes to the airline with its passenger, and is sealed: in clear are its airline and its end', () => {
    const { people, documents } = formPassengers([member, paul, zoe], withProgrammes, '2026-11-21')
    const request = orderRequest(bookingRecord({ people }), documents, 'http://localhost:8080')
    expect(request.passengers.map((passenger) => passenger.loyalty_programme_accounts)).toEqual([
      [{ airline_iata_code: 'TP', account_number: 'TAP4455667' }],
      undefined,
      undefined,
    ])
    expect(JSON.stringify(people)).not.toContain('4455')
    expect(toPublic(bookingRecord({ people }), new Date()).bookingData.passengers.map(({ frequentFlyer }) => frequentFlyer)).toEqual([
      { airline: 'TP', ending: '667' },
      undefined,
      undefined,
    ])
  })

  test('a frequent flyer number of an airline that the offer does not take is refused by its field', () => {
    for (const offered of [quote, { ...quote, offer: { ...quote.offer, supported_loyalty_programmes: ['AF'] } }])
      expect(thrown(() => formPassengers([member, paul, zoe], offered, '2026-11-21')).issues).toEqual([
        { path: 'passengers.0.frequentFlyerAirline', message: 'This flight does not take frequent flyer numbers of that airline' },
      ])
  })
})

describe('the same passengers', () => {
  const ines: Passenger = {
    type: 'adult',
    firstName: 'Inès',
    lastName: 'Moreau',
    dateOfBirth: '1990-02-14',
    email: 'ines@example.org',
  } as never
  const paul: Passenger = { ...ines, type: 'child', firstName: 'Paul', dateOfBirth: '2018-05-05' }
  const text = (...passengers: Passenger[]) => passengersText('oft_1', passengers)

  test('R-26: is known by its people, however they are typed and in whatever order', () => {
    expect(text({ ...ines, firstName: ' INES', email: ' Ines@Example.org ' }, paul)).toBe(text(ines, paul))
    expect(text({ ...paul, email: 'INES@example.org' }, ines)).toBe(text(ines, paul))
  })

  test('R-109: is another one with another person, birth date, contact or offer', () => {
    const others = [
      text(ines),
      text({ ...ines, firstName: 'Claire' }, paul),
      text({ ...ines, dateOfBirth: '1990-02-15' }, paul),
      text({ ...ines, email: 'other@example.org' }, paul),
      text(ines, { ...paul, type: 'adult' }),
      passengersText('oft_2', [ines, paul]),
    ]
    expect(new Set([...others, text(ines, paul)]).size).toBe(7)
  })
})

describe("the supplier's refusal", () => {
  const judge = (status: number, ...codes: string[]) => judgeRefusal({ status, codes })

  test('is kept without the documents that it quotes', () => {
    const papers = { passportExpiryDate: '2034-04-25', passportIssuingCountry: 'FR' }
    const documents = [
      { ...papers, passportNumber: '19KL54321', dateOfBirth: '1988-06-15' },
      { ...papers, passportNumber: null, dateOfBirth: '2020-01-20' },
    ]
    expect(withoutDocuments('Passport 19kl54321 (born 2020-01-20, 1988-06-15) is not valid: 19KL54321.', documents)).toBe(
      'Passport (hidden) (born (hidden), (hidden)) is not valid: (hidden).',
    )
    const member = [{ ...documents[0]!, frequentFlyer: { airline: 'TP', number: 'TAP4455667' } }]
    expect(withoutDocuments('Account tap4455667 is not known.', member)).toBe('Account (hidden) is not known.')
    expect(withoutDocuments('The flight is full.', documents)).toBe('The flight is full.')
    expect(withoutDocuments('The flight is full.', [])).toBe('The flight is full.')
  })

  test('is final where the supplier documents it as final', () => {
    expect(judge(422, 'offer_no_longer_available')).toMatchObject({ kind: 'rejected', code: 'OFFER_EXPIRED' })
    expect(judge(422, 'ancillary_service_not_available')).toMatchObject({ kind: 'rejected', code: 'SEAT_UNAVAILABLE' })
    expect(judge(422, 'insufficient_balance')).toMatchObject({ kind: 'rejected', code: 'BOOKING_REFUSED' })
    expect(judge(502, 'order_not_created')).toMatchObject({ kind: 'rejected', code: 'BOOKING_FAILED' })
  })

  test('ABOOK-32, R-110: leaves open whether an order exists in every other case', () => {
    for (const [status, code] of [
      [500, 'airline_internal'],
      [502, 'airline_unknown'],
      [504, 'gateway_timeout_error'],
      [422, 'order_creation_already_attempted'],
    ] as const)
      expect(judge(status, code).kind).toBe('unknown')
    expect(judge(502).kind).toBe('unknown')
  })

  test('R-109: a used-up offer request means shopping again', () =>
    expect(judge(422, 'offer_request_already_booked').kind).toBe('offer-used'))
  test('a moved price is told apart', () => expect(judge(422, 'payment_amount_does_not_match_order_amount').kind).toBe('repriced'))
})
