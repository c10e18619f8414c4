/** What an operator sees and erases of one person: `make person`, over the databases of a whole system. */
import { bookingsOfPerson } from '@passerelle/booking/person-command'
import { messagesOfPerson } from '@passerelle/brand/person-command'
import type { Booking } from '@passerelle/contracts/http/booking'
import { accountOfPerson } from '@passerelle/identity/person-command'
import { executeCommand } from '@passerelle/kit/command'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LocalSystem, localSystem, party, testCard, Visitor } from './test-visitor.fixture.ts'

const NAMESPACE = `person${Math.random().toString(36).slice(2, 8)}-`
let system: LocalSystem
beforeAll(async () => {
  system = await localSystem({ NAMESPACE })
})
afterAll(() => system.stop())

async function command(definition: Parameters<typeof executeCommand>[0], email: string, ...flags: string[]): Promise<string> {
  const lines: string[] = []
  const { MONGO_URL } = system.backbone
  const environment = { MONGO_URL, NAMESPACE, DOCUMENT_KEY: system.secrets.documentKey }
  await executeCommand(definition, { args: ['--email', email, ...flags], environment, print: (line) => lines.push(line) })
  return lines.join('\n')
}

async function kept(email: string) {
  const [account, bookings, messages] = [
    await command(accountOfPerson, email),
    await command(bookingsOfPerson, email),
    await command(messagesOfPerson, email),
  ].map((text) => JSON.parse(text))
  return { ...account, ...bookings, ...messages }
}

const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)

/** Books as a guest, writes a message and takes the newsletter. */
async function somebody(email: string) {
  const visitor = new Visitor(system.url)
  const offer = await visitor.offer(`origin=CDG&destination=LIS&departureDate=${day}`)
  const passengers = party(offer, { email, firstName: 'Inès', lastName: 'Moreau', passportNumber: '19KL56147' })
  const booked = await visitor.book(offer, { cardDetails: testCard }, { passengers })
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed', accountCreated: true } })
  const message = { fullName: 'Inès Moreau', email: email.toUpperCase(), reference: '', subject: 'Bags', message: 'May I bring a violin?' }
  expect((await visitor.post('/api/support', message)).status).toBe(201)
  expect((await visitor.post('/api/newsletter', { email })).body).toMatchObject({ success: true })
  return { visitor, reference: booked.body.bookingReference, id: booked.body.id }
}

test('EVT-17, R-101: the data of one person is exported and erased, and those of another stay', { timeout: 120_000 }, async () => {
  const ines = await somebody('ines.of.this.test@example.org')
  const paul = await somebody('inesXofXthisXtest@example.org')

  const before = await kept('Ines.Of.This.Test@example.org')
  expect(before).toMatchObject({
    account: { email: 'ines.of.this.test@example.org', firstName: 'Inès' },
    sessions: [{ device: null }],
    bookings: [{ bookingReference: ines.reference, contact: { email: 'ines.of.this.test@example.org' } }],
    messages: [{ message: 'May I bring a violin?' }],
    newsletters: [{ brand: 'default' }],
  })
  expect(before.bookings[0].documents).toMatchObject([{ dateOfBirth: '1988-06-15', passportNumber: '19KL56147' }])
  expect(JSON.stringify(before)).not.toMatch(/hash|documentKey|4242424242424242/i)

  const said = [
    await command(accountOfPerson, 'ines.of.this.test@example.org', '--erase'),
    await command(bookingsOfPerson, 'ines.of.this.test@example.org', '--erase'),
    await command(messagesOfPerson, 'ines.of.this.test@example.org', '--erase'),
  ].join('\n')
  expect(said).toContain('identity: the account is erased')
  expect(said).toContain('brand: 1 messages erased, 1 newsletters ended')
  const nothing = { account: null, sessions: [], bookings: [], messages: [], newsletters: [] }
  expect(await kept('ines.of.this.test@example.org')).toMatchObject(nothing)
  expect((await ines.visitor.post('/api/auth/login', { username: 'ines.of.this.test@example.org', password: 'x' })).status).toBe(401)

  // What accounting needs is still there, without the person.
  const admin = new Visitor(system.url)
  await admin.post('/api/auth/login', { username: 'admin', password: system.secrets.adminPassword })
  const left = await admin.get<Booking>(`/api/bookings/${ines.id}`)
  expect(left).toMatchObject({
    status: 200,
    body: { bookingReference: ines.reference, bookingData: { passengers: [{ family_name: '' }] } },
  })

  expect(await kept('inesXofXthisXtest@example.org')).toMatchObject({
    account: { email: 'inesXofXthisXtest@example.org' },
    bookings: [{ bookingReference: paul.reference }],
    messages: [{}],
    newsletters: [{}],
  })
})
