import { InquiryType } from '@passerelle/contracts/http/messages'
import { describe, expect, it } from 'vitest'
import { render } from '../../lib/render.fixture.tsx'
import { MessageRefused } from '../../ui/MessageRefused.tsx'
import { ContactPage } from './ContactPage.tsx'
import { INQUIRY_TYPES } from './content.ts'

const { html, text, linkTo } = render(<ContactPage />)
const names = [...html.matchAll(/<(?:input|select|textarea)[^>]* name="([^"]+)"/g)].map(([, name]) => name)

describe('the contact page', () => {
  it('CONT-01: shows three ways to reach the agency, four answers and what to do in an emergency', () => {
    for (const way of ['Call', 'Write', 'Visit']) expect(html).toContain(`<h2>${way}</h2>`)
    expect(html.match(/<section><h3/g)).toHaveLength(4)
    expect(text).toContain('Emergency while travelling?')
  })

  it('CONT-02, CONT-04: asks for the fields of a message; e-mail is the preferred answer', () => {
    expect(names).toEqual([
      'firstName',
      'lastName',
      'email',
      'phone',
      'inquiryType',
      'reference',
      'destination',
      'message',
      'preferredContact',
      'preferredContact',
      'consent',
    ])
    expect(text).toContain('Destination (optional)')
    expect(html).toMatch(/<input[^>]*type="radio"[^>]*value="email"/)
  })

  it('CONT-03: a message can be about every type that the server knows, in its order', () => {
    expect(INQUIRY_TYPES.map(([type]) => type)).toEqual(InquiryType.options)
    for (const [type, label] of INQUIRY_TYPES) expect(html).toContain(`<option value="${type}">${label}</option>`)
  })

  it('CONT-05, R-59: the consent links to the privacy policy', () => {
    expect(linkTo('Privacy Policy')).toBe('/privacy')
  })

  it('CONT-06: promises an answer within 2-4 hours', () => {
    expect(text).toContain('We reply within 2-4 hours.')
  })

  it('CONT-08: the e-mail field is one', () => {
    expect(html).toMatch(/<input[^>]*type="email"[^>]*name="email"|<input[^>]*name="email"[^>]*type="email"/)
  })
})

describe('a message that was not sent', () => {
  it('R-62: after too many messages says when another can be sent, and offers the phone', () => {
    const refused = render(<MessageRefused refusal={{ message: 'Too many requests.', waitSeconds: 130 }} />)
    expect(refused.text).toContain('Another one can be sent in 3 minutes.')
    expect(refused.linkTo('+33')).toBe('tel:+33199004219')
  })

  it('otherwise says why', () => {
    expect(render(<MessageRefused refusal={{ message: 'The server did not answer.', waitSeconds: null }} />).text).toMatch(
      /Message not sent\. The server did not answer\. Or call \+33/,
    )
  })
})
