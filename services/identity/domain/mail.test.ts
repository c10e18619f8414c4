import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, test } from 'vitest'
import { type AccountMail, writeLetter } from './mail.ts'
import type { UserRecord } from './user.ts'

const user = { firstName: 'Inès', username: 'ines', passwordHash: '$argon2id$secret' } as UserRecord
const site = 'https://fly.example.com'
const all: AccountMail[] = ['welcome', 'linked', 'waiting', 'verify', 'many-failures']

describe('account mails', () => {
  test('R-45: the welcome has the username and the link, and no password', () => {
    const { subject, text, html } = writeLetter('welcome', user, defaultBrand, site, { link: `${site}/set-password#token` })
    expect(subject).toBe('Your account - Passerelle')
    expect(text).toContain('Dear Inès,')
    expect(text).toContain('Your username is ines.')
    expect(text).toContain(`${site}/set-password#token`)
    expect(html).toContain(`${site}/set-password#token`)
    expect(text + html).not.toMatch(/argon|secret/)
  })

  test('R-44: the notice about a linked booking has the reference and no link that signs in', () => {
    const { subject, text } = writeLetter('linked', user, defaultBrand, site, { reference: 'K7TM2PQX' })
    expect(subject).toBe('Booking K7TM2PQX was added to your account - Passerelle')
    expect(text).toContain('You already have an account')
    expect(text).not.toContain('set-password')
    expect(writeLetter('linked', user, defaultBrand, site, {}).subject).toBe('A booking was added to your account - Passerelle')
  })

  test('the link to verify an address says whose account it is for, and to leave it alone otherwise', () => {
    const { text } = writeLetter('verify', user, defaultBrand, site, { link: `${site}/verify-email#token` })
    expect(text).toContain(`${site}/verify-email#token`)
    expect(text).toContain('If you did not make an account here, do not use the link')
  })

  test('the owner of an address whose account is not verified is offered to take it over, not merely to confirm it', () => {
    const { subject, text } = writeLetter('waiting', user, defaultBrand, site, {
      link: `${site}/set-password#token`,
      reference: 'K7TM2PQX',
    })
    expect(subject).toBe('Booking K7TM2PQX is not in your account yet - Passerelle')
    expect(text).toContain(`${site}/set-password#token`)
    expect(text).toContain('is signed out')
  })

  test('what people typed is text in the mail, never markup', () => {
    expect(writeLetter('welcome', user, { ...defaultBrand, name: '<script>x</script>' }, site, {}).html).not.toMatch(/<script>/)
  })

  test.each(all)('%s: what a stranger typed as a name carries neither a link nor a sentence', (template) => {
    for (const firstName of [
      '<b>Inès</b>',
      'http://evil.example',
      'evil.example',
      'your account is blocked, call 0800 123',
      'x'.repeat(100),
    ]) {
      const { subject, text, html } = writeLetter(template, { ...user, firstName }, defaultBrand, site, {})
      expect(text).toContain('Dear traveller,')
      for (const part of [subject, text, html]) expect(part).not.toContain(firstName)
    }
  })
})
