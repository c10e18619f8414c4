import type { ContactMessage } from '@passerelle/contracts/http/messages'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { expect, test } from 'vitest'
import { acknowledgement, answerLetter, receivedLetter } from './mail.ts'

const message: ContactMessage = {
  id: 'msg_1',
  from: 'contact',
  brandKey: 'default',
  receivedAt: '2026-11-22T09:34:00.000Z',
  name: 'Camille <b>Moreau</b>',
  email: 'camille@example.org',
  phone: null,
  preferredContact: 'email',
  inquiryType: 'group',
  destination: null,
  reference: null,
  subject: null,
  message: 'Hello\n\n<img src=x onerror=alert(1)>',
}

test('R-62: what was typed reaches the agency as text, never as markup', () => {
  const { html, text, subject } = receivedLetter(message, defaultBrand, 'https://example.org')
  expect(html).not.toMatch(/<img|<b>/)
  expect(text).toContain('<img src=x onerror=alert(1)>')
  expect(text).not.toContain('Phone')
  expect(subject).toBe('New message: Inquiry: group')
})

test('R-62: the acknowledgement repeats nothing that was typed but a plain name', () => {
  expect(acknowledgement(message, defaultBrand, 'https://example.org').text).toMatch(/^Dear traveller,/)
  const named = acknowledgement({ ...message, name: 'Camille Moreau' }, defaultBrand, 'https://example.org')
  expect(named.text).toMatch(/^Dear Camille Moreau,/)
  expect(named.text).not.toContain('onerror')
})

test('an answer quotes the message below it', () => {
  const { text, html } = answerLetter(message, 'Gladly.\n\nInès', defaultBrand)
  expect(text).toMatch(/^Gladly\.\n\nInès/)
  expect(text).toContain('> Hello')
  expect(html).not.toContain('<img')
})
