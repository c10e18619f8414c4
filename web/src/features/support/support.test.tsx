import { describe, expect, it } from 'vitest'
import { ApiError, TransportError } from '../../lib/api-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { retrieveFailure } from './retrieve-failure.ts'
import { SupportPage } from './SupportPage.tsx'

const at = (tab: string) => render(<SupportPage />, { at: `/support?tab=${tab}` })
const fieldNames = (html: string) => [...html.matchAll(/<(?:input|textarea)[^>]* name="([^"]+)"/g)].map(([, name]) => name)

describe('the help centre', () => {
  const help = render(<SupportPage />, { at: '/support' })

  it('SUPP-01: has a search box', () => {
    expect(help.html).toMatch(/<input[^>]*type="search"[^>]*aria-label="Search the help centre"/)
  })

  it('SUPP-02: has three tabs, Help Center first and open', () => {
    expect([...help.html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, label]) => label)).toEqual([
      'Help Center',
      'Contact Us',
      'My Bookings',
    ])
    expect(help.text).toContain('Asked most often')
    expect(help.text).not.toContain('Write to support')
  })

  it('SUPP-03: answers six questions', () => {
    expect(help.html.match(/<details/g)).toHaveLength(6)
  })

  it('SUPP-07, R-61: the popular topics lead to the tabs of the questions', () => {
    expect(help.text).toContain('Popular Help Topics')
    expect([...help.html.matchAll(/href="(\/faq\?topic=\w+)"/g)].map(([, address]) => address)).toEqual(
      ['booking', 'payment', 'cancellations', 'changes', 'travel', 'account'].map((topic) => `/faq?topic=${topic}`),
    )
  })

  it('SUPP-04, CONT-08: Contact Us asks for name, e-mail, reference, subject and message', () => {
    const { html, text } = at('contact')
    expect(fieldNames(html)).toEqual(['q', 'fullName', 'email', 'reference', 'subject', 'message'])
    expect(text).toContain('Booking reference (optional)')
    expect(text).toContain('Submit Request')
    expect(html.match(/type="email"/g)).toHaveLength(1)
  })

  it('SUPP-05, SUPP-06, CONT-08: My Bookings leads to sign-in and trips, and retrieves a booking by reference and e-mail', () => {
    const { html, text, linkTo } = at('bookings')
    expect(linkTo('Log In')).toBe('/login')
    expect(linkTo('My Trips')).toBe('/my-trips')
    expect(fieldNames(html)).toEqual(['q', 'reference', 'email'])
    expect(text).toContain('Retrieve Booking')
    expect(html.match(/type="email"/g)).toHaveLength(1)
  })
})

describe('a booking that was not retrieved', () => {
  const answer = (status: number, error: string, retryAfter: string | null = null) =>
    retrieveFailure(new ApiError(status, '', JSON.stringify({ error, message: 'text of the server', requestId: 'r' }), retryAfter))

  it('R-50: a wrong reference and a wrong e-mail read the same', () => {
    const unknown = answer(404, 'BOOKING_NOT_FOUND')
    expect(unknown).toEqual(answer(400, 'VALIDATION_ERROR'))
    expect(unknown.title).toBe('We could not find that booking.')
    expect(unknown.words).not.toContain('text of the server')
  })

  it('R-50: too many attempts say when the next one may be made', () => {
    expect(answer(429, 'RATE_LIMITED', '900').words).toContain('in 15 min')
  })

  it('a server that is away is not a wrong reference', () => {
    expect(retrieveFailure(new TransportError('no-response')).title).toBe('We could not look for your booking.')
  })
})
