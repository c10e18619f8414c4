import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { render } from '../../lib/render.fixture.tsx'
import { BadLink } from './BadLink.tsx'
import { Answer, ForgotPasswordPage } from './ForgotPasswordPage.tsx'
import { LoginPage } from './LoginPage.tsx'
import { isSpentLink } from './model/spent-link.ts'
import { RegisterPage } from './RegisterPage.tsx'
import { SetPasswordPage } from './SetPasswordPage.tsx'

const TOKEN = 't'.repeat(43)

describe('the sign-in', () => {
  it('LOGIN-01, LOGIN-08: asks for username and password, and leads to the registration', () => {
    const { html, text, linkTo } = render(<LoginPage />)
    const fields = [...html.matchAll(/<input[^>]*name="(\w+)"/g)].map(([tag, name]) => [name, /type="(\w+)"/.exec(tag)?.[1] ?? 'text'])
    expect(fields).toEqual([
      ['username', 'text'],
      ['password', 'password'],
    ])
    expect(text).toMatch(/Username.*Password.*Log In/)
    expect(linkTo('Create Account')).toBe('/register')
  })
})

it.each([
  ['the sign-in', <LoginPage key="login" />, ['current-password']],
  ['the registration', <RegisterPage key="register" />, ['new-password', 'new-password']],
])('%s masks its passwords and tells password managers what they are', (_, page, wanted) => {
  const fields = [...render(page).html.matchAll(/<input[^>]*type="password"[^>]*>/g)].map(([tag]) => tag)
  expect(fields.map((tag) => /autocomplete="([\w-]+)"/i.exec(tag)?.[1])).toEqual(wanted)
})

describe('a forgotten password', () => {
  it('LOGIN-09, R-60: the sign-in leads to the page that sends a link', () => {
    expect(render(<LoginPage />).linkTo('Forgot password?')).toBe('/forgot-password')
  })

  it('R-60: asks for the e-mail of the account and leads back to the sign-in', () => {
    const { html, text, linkTo } = render(<ForgotPasswordPage />)
    expect(html).toMatch(/<input[^>]*type="email"/)
    expect(text).toContain('Send the link')
    expect(linkTo('Back to Log In')).toBe('/login')
  })

  it('R-60: shows the answer of the server as it is', () => {
    const words = 'If there is an account with this address, we have sent it an e-mail with a link.'
    expect(render(<Answer message={words} times={1} />).text).toContain(words)
  })
})

describe('the link of a mail', () => {
  it('R-60: opens the form for a new password with its rules', () => {
    const { text, html } = render(<SetPasswordPage />, { at: `/set-password#${TOKEN}` })
    expect(text).toContain('At least 12 characters (not yet)')
    expect(html).toContain('name="confirmPassword"')
    expect(html).not.toContain(TOKEN)
  })

  it.each(['/set-password', '/set-password#short'])('is said to be incomplete at %s', (at) => {
    const { text, linkTo } = render(<SetPasswordPage />, { at })
    expect(text).toContain('This link is not complete')
    expect(linkTo('Ask for a new link')).toBe('/forgot-password')
  })

  it('R-60: is said to have expired or been used, and another one is offered', () => {
    expect(isSpentLink(new ApiError(410, 'Gone', '{"error":"LINK_INVALID","message":"Gone","requestId":"r"}'))).toBe(true)
    expect(isSpentLink(new ApiError(400, 'Bad Request', '{"error":"VALIDATION_ERROR","message":"No","requestId":"r"}'))).toBe(false)
    const { text, linkTo } = render(<BadLink spent />)
    expect(text).toContain('This link has expired or was used already')
    expect(linkTo('Ask for a new link')).toBe('/forgot-password')
  })
})
