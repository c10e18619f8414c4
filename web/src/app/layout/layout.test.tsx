import type { User } from '@passerelle/contracts/http/identity'
import { describe, expect, it } from 'vitest'
import { createQueryClient } from '../../lib/query-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { USER_KEY } from '../../lib/session.ts'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'

function headerOf(user: User | null) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(USER_KEY, user)
  return render(<Header />, { at: '/faq', queryClient })
}
const ines = { id: 'usr_1', username: 'ines', firstName: 'Inès', lastName: 'Moreau', email: 'ines@example.org', isAdmin: false } as User

describe('the header', () => {
  it('HEAD-01: its logo leads home', () => {
    const [, logo] = /<header[^>]*>.*?<a\b([^>]*)>/s.exec(headerOf(null).html) ?? []
    expect(logo).toContain('href="/"')
  })

  it('HEAD-03: has a button that opens the e-mail program', () => {
    expect(headerOf(null).linkTo('Contact us')).toBe('mailto:hello@passerelle.example')
    expect(headerOf(ines).linkTo('Contact us')).toBe('mailto:hello@passerelle.example')
  })

  it('HEAD-04: offers to log in and to sign up while nobody is signed in', () => {
    const signedOut = headerOf(null)
    expect([signedOut.linkTo('Log In'), signedOut.linkTo('Sign Up')]).toEqual(['/login', '/register'])
    const signedIn = headerOf(ines)
    expect([signedIn.linkTo('Log In'), signedIn.linkTo('Sign Up')]).toEqual([undefined, undefined])
    expect(signedIn.text).toContain('Inès')
  })
})

describe('the footer', () => {
  const footer = render(<Footer />)

  it('FOOT-01: says what the company is', () => {
    expect(footer.text).toContain('A Paris travel agency between you and the airlines')
  })

  it('FOOT-02: leads to the pages of company and law', () => {
    const links = [...footer.html.matchAll(/href="(\/[a-z-]+)"/g)].map(([, path]) => path)
    for (const path of ['/about', '/contact', '/support', '/faq', '/privacy', '/terms', '/cancellation-policy', '/cookies'])
      expect(links).toContain(path)
  })

  it('FOOT-03: shows an accreditation logo', () => {
    expect(footer.html).toMatch(/<svg[^>]*role="img"[^>]*aria-label="Accreditation logo"/)
  })

  it('FOOT-04: takes an e-mail address', () => {
    expect(footer.html).toMatch(/<form[^>]*>.*<input[^>]*type="email"[^>]*required.*<button type="submit">Sign up<\/button>/s)
  })
})
