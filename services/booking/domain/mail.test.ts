import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { expect, test } from 'vitest'
import { bookingRecord } from './booking.fixture.ts'
import { writeLetter } from './mail.ts'

const SITE = 'https://fly.example'

test('R-100: a traveller is greeted by name', () => {
  const { text } = writeLetter(
    'confirmed',
    bookingRecord({ contact: { email: 'i@example.org', phone: '', firstName: 'Inès', lastName: 'Moreau' } }),
    defaultBrand,
    SITE,
  )
  expect(text).toContain('Dear Inès,')
})

test('names typed by strangers carry no link and no sentence into a mail', () => {
  const firstName = 'You won! Claim at evil.example/win'
  const booking = bookingRecord({ contact: { email: 'i@example.org', phone: '', firstName, lastName: 'Moreau' } })
  const people = booking.people.map((person) => ({ ...person, firstName, lastName: 'https://evil.example' }))
  for (const template of ['confirmed', 'pending', 'cancelled', 'failed'] as const) {
    const { subject, text, html } = writeLetter(template, { ...booking, people }, defaultBrand, SITE)
    expect(text).toContain('Dear traveller,')
    expect(subject + text + html).not.toMatch(/evil|won!/)
  }
})
