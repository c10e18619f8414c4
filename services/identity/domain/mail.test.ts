import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, test } from 'vitest'
import { writeLetter } from './mail.ts'
import type { UserRecord } from './user.ts'

const user = { firstName: '<b>Inès</b>', username: 'ines', passwordHash: '$argon2id$secret' } as UserRecord
const site = 'https://fly.example.com'

describe('account mails', () => {
  test('R-45: the welcome has the username and the link, and no password', () => {
    const { subject, text, html } = writeLetter('welcome', user, defaultBrand, site, { link: `${site}/set-password#token` })
    expect(subject).toBe('Your account - Passerelle')
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
    expect(writeLetter('linked', user, defaultBrand, site, {}).subject).toBe('Booking was added to your account - Passerelle')
  })

  test('what people typed is text in the mail, never markup', () => {
    expect(writeLetter('welcome', user, { ...defaultBrand, name: '<script>x</script>' }, site, {}).html).not.toMatch(/<b>|<script>/)
  })
})
