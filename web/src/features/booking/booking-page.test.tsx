import type { SystemMode } from '@passerelle/contracts/http/brand'
import type { FlightOffer } from '@passerelle/contracts/http/search'
import { groupCardNumber, TEST_CARD_NUMBER } from '@passerelle/contracts/rules/card'
import { ISSUING_COUNTRIES } from '@passerelle/contracts/rules/passport'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { sliceOf } from '../../lib/flights.fixture.ts'
import { offerQuery, systemModeQuery } from '../../lib/queries.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { BookingPage } from './BookingPage.tsx'
import { AccountPanel } from './confirmation/AccountPanel.tsx'
import { offer, segment } from './model/booking.fixture.ts'
import { NEW_CHECKOUT } from './model/checkout-state.ts'
import type { OfferCheck } from './model/verification.ts'
import { PassengerStep } from './passengers/PassengerStep.tsx'
import { PaymentStep } from './payment/PaymentStep.tsx'
import { SeatStep } from './seats/SeatStep.tsx'
import { seatMapsKey } from './seats/seat-maps-key.ts'

beforeEach(() => {
  const storage = { getItem: () => null }
  vi.stubGlobal('window', { localStorage: storage, sessionStorage: storage })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A cache whose queries have been asked already: mounting asks nothing. */
function askedClient() {
  const queryClient = createQueryClient()
  const { queries, ...others } = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, refetchOnMount: false, retryOnMount: false } })
  return {
    queryClient,
    fail: (queryKey: readonly unknown[], error: Error) =>
      queryClient.getQueryCache().build(queryClient, { queryKey }).setState({ status: 'error', error, fetchStatus: 'idle' }),
  }
}

describe('the booking', () => {
  const { queryKey } = offerQuery('oft_1')
  /** The page when the server answered with this offer, or failed with this status. */
  function pageAfter(answer: FlightOffer | number, counts = 'adults=1&children=0&infants=0') {
    const { queryClient, fail } = askedClient()
    if (typeof answer === 'number') fail(queryKey, new ApiError(answer, '', '{"error":"X","message":"No seats today.","requestId":"r"}'))
    else queryClient.setQueryData(queryKey, { ...answer, id: 'oft_1' })
    return render(<BookingPage />, { at: `/booking?offer=oft_1&${counts}`, queryClient })
  }

  it('BOOK-03: of an offer that nobody knows, or of none, says "Flight offer not found"', () => {
    expect(pageAfter(404).text).toContain('Flight offer not found')
    expect(render(<BookingPage />, { at: '/booking' }).text).toContain('Flight offer not found')
  })

  it('BOOK-04: of an offer that could not be read says so, with the reason, and lets try again', () => {
    expect(pageAfter(502).text).toMatch(/Error loading flight details No seats today\. Try Again/)
    expect(pageAfter(502).text).not.toContain('not found')
  })

  it('BOOK-02: begins with the passengers, beside the Flight Summary with the total', () => {
    const { text, html } = pageAfter(offer)
    expect(text).toContain('Passenger Information')
    expect(html).toContain('aria-label="Flight Summary and total price"')
    expect(text).toMatch(/Flight Summary.*Outbound.*CDG.*JFK.*Return.*Total \$[\d,]+/)
  })

  it('R-35, R-39: has the forms that the offer asks for, an adult first, whatever the address says', () => {
    const children = [...offer.passengers].reverse()
    const { html } = pageAfter({ ...offer, passengers: children }, 'adults=1&children=4&infants=0')
    const types = [...html.matchAll(/<small>((?:Adult|Child|Infant)[^<]*)<\/small>/g)].map(([, type]) => type)
    expect(types).toEqual(['Adult (12+ years), lead passenger', 'Adult (12+ years)', 'Child (2-11 years)', 'Infant (under 2 years)'])
  })
})

describe('the form of the passengers', () => {
  const inFrance: FlightOffer = {
    ...offer,
    slices: [sliceOf('s', 'PT1H30M', [segment('g', 'AF', '1', ['ORY', '2026-12-10T08:00:00'], ['NCE', '2026-12-10T09:30:00'], 'PT1H30M')])],
  }
  const form = (of: FlightOffer, latest: OfferCheck | null = null) =>
    render(
      <PassengerStep
        offer={of}
        entered={null}
        server={null}
        checks={{ latest, check: async () => ({ state: 'valid', expiresAt: null }) }}
        onBack={() => undefined}
        onDone={() => undefined}
      />,
    )
  const submit = (html: string) => /<button[^>]*type="submit"[^>]*>/.exec(html)?.[0] ?? ''

  it('PAX-09: of an offer without passengers says that one is required', () => {
    const { text, html } = form({ ...offer, passengers: [] })
    expect(text).toContain('At least one passenger is required')
    expect(submit(html)).toContain('disabled')
  })

  it('PAX-30: offers the countries that issue passports', () => {
    const [select = ''] = /<select[^>]*name="passengers\.0\.passportIssuingCountry".*?<\/select>/s.exec(form(offer).html) ?? []
    const codes = [...select.matchAll(/<option value="([A-Z]+)"/g)].map(([, code]) => code)
    expect(codes).toEqual('US GB CA AU FR DE IT ES JP CN IN BR MX RU ZA SG AE NZ KR SE NO DK FI IE'.split(' '))
    expect(codes).toEqual(ISSUING_COUNTRIES)
  })

  it('PAX-19, R-40: offers to skip the passport inside a country only', () => {
    expect(form(inFrance).text).toContain('Skip Passport Info')
    expect(form(offer).text).not.toContain('Skip Passport Info')
  })

  it('asks for a frequent flyer number where the airline takes them, of everybody with a seat', () => {
    const asked = (of: FlightOffer) => form(of).html.split('Frequent flyer number').length - 1
    expect(asked(offer)).toBe(0)
    const seated = offer.passengers.filter(({ type }) => type !== 'infant_without_seat').length
    expect(seated).toBeLessThan(offer.passengers.length)
    expect(asked({ ...offer, supported_loyalty_programmes: ['AF'] })).toBe(seated)
  })

  it('PAX-33: of an offer that is over says so and cannot be sent', () => {
    const message = 'This flight offer has expired. Please select another flight.'
    const { text, html } = form(inFrance, { state: 'expired', gone: false, code: 'OFFER_EXPIRED', message })
    expect(html).toMatch(/role="alert"/)
    expect(text).toContain(message)
    expect(text).toMatch(/Offer Expired$/)
    expect(submit(html)).toContain('disabled')
    expect(text).not.toContain('Continue to Seat Selection')
  })

  it.each(['NO_RESPONSE', 'PARSE_ERROR', 'API_ERROR', 'UNEXPECTED_RESPONSE', 'UNKNOWN_ERROR'] as const)(
    'OFFER-12, PAX-34, R-28: stays usable when the check ends in %s',
    (code) => {
      const { text, html } = form(inFrance, { state: 'unverified', code, message: 'Nobody answered.' })
      expect(text).toContain('Unable to verify offer validity...')
      expect(text).not.toContain('Offer Expired')
      expect(text).toContain('Continue to Seat Selection')
      expect(submit(html)).not.toContain('disabled=""')
    },
  )
})

describe('seats that cannot be chosen', () => {
  const passengers = [{ id: 'pas_1', type: 'adult', firstName: 'Camille', lastName: 'Moreau' }] as Parameters<
    typeof SeatStep
  >[0]['passengers']
  const nothing = () => undefined

  it.each([
    ['could not be read', new ApiError(502, '', '')],
    ['are empty', { data: [] }],
  ])('BOOK-07, R-99: because the maps %s lead on to payment all the same', (_why, answer) => {
    const { queryClient, fail } = askedClient()
    if (answer instanceof Error) fail(seatMapsKey(offer.id), answer)
    else queryClient.setQueryData(seatMapsKey(offer.id), answer)
    const { text, html } = render(
      <SeatStep
        {...{ offer, passengers, choices: [], notice: null, told: { current: false } }}
        {...{ onChange: nothing, onBack: nothing, onContinue: nothing, onSkip: nothing }}
      />,
      { queryClient },
    )
    expect(text).toContain('Seat selection is not available for these flights')
    expect(text).toMatch(/Continue to Payment$/)
    expect(html.match(/<button[^>]*disabled=""/g)).toBeNull()
  })
})

describe('the payment', () => {
  const step = (mode: SystemMode['mode']) => {
    const { queryClient } = askedClient()
    queryClient.setQueryData(systemModeQuery.queryKey, { mode, isLiveMode: mode === 'live' })
    return render(
      <PaymentStep
        state={NEW_CHECKOUT}
        total={{ amount: '274.00', currency: 'EUR' }}
        live={mode === 'live'}
        saidTest={mode === 'test'}
        over={false}
        latest={null}
        onPay={async () => undefined}
        onBack={() => undefined}
      />,
      { queryClient },
    )
  }

  it('PAY-01: asks for number, month, year, code and name', () => {
    const { html, text } = step('test')
    expect([...html.matchAll(/<input[^>]*name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'number',
      'expiryMonth',
      'expiryYear',
      'cvv',
      'holderName',
    ])
    expect(text).toMatch(/Card number.*Expiry month.*Expiry year.*CVV.*Name on card.*Pay €274/)
  })

  it('GEN-03, R-20: shows the test card in test mode', () => {
    expect(step('test').text).toContain(groupCardNumber(TEST_CARD_NUMBER))
  })

  it('GEN-04, R-20: shows no card number in live mode', () => {
    expect(step('live').text).not.toMatch(/Test mode|\d{4} \d{4}/)
    expect(step('live').html).not.toContain('4242')
  })

  it('PAY-23, R-22: has no field for a card number of its own in live mode', () => {
    expect(step('live').html).not.toMatch(/<input/)
  })
})

describe('the account that a booking has opened', () => {
  const account = { username: 'camille', email: 'camille@example.org', password: 'Made-Up-Word-47x' }

  it('CONF-04: is shown with username, password and e-mail', () => {
    expect(render(<AccountPanel account={account} />).text).toMatch(
      /We opened an account for you.*shown once.*Username camille.*Password Made-Up-Word-47x.*Email camille@example\.org/,
    )
  })

  it('is told without a password where the answer had none', () => {
    const { text } = render(<AccountPanel account={{ ...account, password: null }} />)
    expect(text).not.toContain('Password')
    expect(text).toContain('a link by e-mail to choose a password')
  })
})
