import type { AdminMessage, MessagePage } from '@passerelle/contracts/http/messages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, eventually, openWorld, type World } from '../brand.fixture.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const contact = (more: object = {}) => ({
  firstName: 'Camille',
  lastName: 'Moreau',
  email: 'camille.moreau@example.org',
  phone: '+33 1 99 00 11 22',
  inquiryType: 'group',
  message: 'We are a choir of 14.\n\nCan you help?',
  consent: true,
  ...more,
})
const send = (json: object, brand = 'atlas.example') => world.call('/api/contact', { json }, { brand })
const list = async (query = '') => (await world.call(`/api/admin/messages${query}`, {}, admin())).body as unknown as MessagePage
const mailsTo = async (address: string, subject: RegExp) =>
  (await world.mails()).filter((mail) => mail.to.includes(address) && subject.test(mail.subject))

describe('a message of the contact page', () => {
  test('CONT-07, R-62: is stored under its brand, mailed to the brand’s address and acknowledged to the sender', async () => {
    expect(await send(contact({ destination: 'Lisbon' }))).toMatchObject({ status: 201, body: { success: true } })
    const [mail] = await eventually('the mail to the agency', async () => {
      const found = await mailsTo('contact@atlas.example', /group/)
      return found.length > 0 && found
    })
    expect(mail?.from.name).toBe('Atlas Voyages')
    for (const text of ['Camille Moreau <camille.moreau@example.org>', '+33 1 99 00 11 22', 'Lisbon', 'We are a choir of 14.'])
      expect(mail?.text).toContain(text)
    const [acknowledgement] = await eventually('the acknowledgement', async () => {
      const found = await mailsTo('camille.moreau@example.org', /received your message/)
      return found.length > 0 && found
    })
    expect(acknowledgement?.text).toContain('Dear Camille Moreau')
    expect(acknowledgement?.text).not.toContain('choir')
    const { messages } = await list()
    expect(messages[0]).toMatchObject({
      from: 'contact',
      brandKey: 'atlas.example',
      inquiryType: 'group',
      destination: 'Lisbon',
      subject: null,
      state: 'new',
      acknowledged: true,
    })
  })

  test.each([
    ['a missing first name', { firstName: '  ' }, 'First name is required'],
    ['an address that is none', { email: 'camille' }, 'Please enter a valid email address'],
    ['another inquiry type', { inquiryType: 'spam' }, 'Please choose what your message is about'],
    ['no consent', { consent: false }, 'Please agree to the privacy policy'],
    ['no message', { message: ' \n ' }, 'Please enter your message'],
    ['a call back without a number', { preferredContact: 'phone', phone: '' }, 'Please enter the phone number that we may call'],
    ['a line break in a name', { lastName: 'Moreau\nBcc: all@example.org' }, 'This text has characters that cannot be shown'],
  ])('CONT-02 to CONT-05: is refused with %s', async (_, change, message) => {
    expect(await send(contact(change))).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', message } })
  })

  test('CONT-04: the preferred contact is e-mail by default', async () => {
    await send(contact({ email: 'preferred@example.org' }))
    expect((await list()).messages[0]?.preferredContact).toBe('email')
  })

  test('R-62: an address that somebody keeps typing gets three acknowledgements a day; the messages are kept', async () => {
    for (let i = 0; i < 5; i++) await send(contact({ email: 'Victim@example.org', message: `message ${i}` }))
    const { messages } = await list()
    expect(messages.slice(0, 5).map(({ acknowledged }) => acknowledged)).toEqual([false, false, true, true, true])
    const mails = world.mongo.collection('mails')
    await eventually('every mail to the agency', async () =>
      (await mailsTo('contact@atlas.example', /group/)).some((mail) => mail.text.includes('message 4')),
    )
    await eventually('an empty queue', async () => (await mails.countDocuments({ state: 'due' })) === 0)
    expect(await mailsTo('Victim@example.org', /received/)).toHaveLength(3)
  })
})

test('SUPP-04, R-62: a message of the help centre is stored with its subject and reference', async () => {
  const json = {
    fullName: 'Luca Ferri',
    email: 'luca@example.org',
    reference: '7KQX2M9D',
    subject: 'Receipt',
    message: 'Please send it again.',
  }
  expect((await world.call('/api/support', { json }, { brand: 'default' })).status).toBe(201)
  expect((await list()).messages[0]).toMatchObject({ from: 'support', name: 'Luca Ferri', subject: 'Receipt', reference: '7KQX2M9D' })
})

describe('administrators', () => {
  test('R-62: alone see messages, page by page and by state, with counts', async () => {
    expect((await world.call('/api/admin/messages')).status).toBe(401)
    expect((await world.call('/api/admin/messages', {}, { userId: 'usr_2' })).status).toBe(403)
    const all = await list()
    const first = await list('?limit=2')
    const second = await list(`?limit=2&before=${first.next}`)
    expect([...first.messages, ...second.messages].map(({ id }) => id)).toEqual(all.messages.slice(0, 4).map(({ id }) => id))
    expect(all.next).toBeNull()
    expect((await list('?brandKey=default')).messages.every(({ brandKey }) => brandKey === 'default')).toBe(true)
    expect(all.counts.new).toBe(all.messages.length)
  })

  test('answer by mail, quoted, and the message is answered; it can be marked as new again', async () => {
    const [message] = (await list('?brandKey=default')).messages
    const path = `/api/admin/messages/${message?.id}`
    const answered = await world.call(`${path}/answers`, { json: { text: 'Here it is.' } }, admin())
    expect(answered.body).toMatchObject({ state: 'answered', answeredBy: 'usr_admin', answers: [{ by: 'usr_admin', text: 'Here it is.' }] })
    const mail = await eventually('the answer', async () => (await mailsTo('luca@example.org', /^Re: Receipt/))[0])
    expect(mail.text).toContain('Here it is.')
    expect(mail.text).toContain('> Please send it again.')
    expect((await list('?state=answered')).messages.map(({ id }) => id)).toEqual([message?.id])
    const again = await world.call(`${path}/state`, { method: 'PUT', json: { state: 'new' } }, admin())
    expect(again.body as unknown as AdminMessage).toMatchObject({ state: 'new', answeredBy: null, answers: [{ text: 'Here it is.' }] })
    const { body } = await world.call(`/api/admin/audit?subject=${message?.id}`, {}, admin())
    expect((body as unknown as { entries: { action: string }[] }).entries.map(({ action }) => action)).toEqual([
      'message-state',
      'message-answered',
    ])
  })

  test('get 404 for a message that is not there', async () => {
    expect((await world.call('/api/admin/messages/msg_none', {}, admin())).status).toBe(404)
    expect((await world.call('/api/admin/messages/msg_none/answers', { json: { text: 'x' } }, admin())).status).toBe(404)
  })
})

test('the queue of mails holds ids, and nothing that anybody typed', async () => {
  const queued = JSON.stringify(await world.mongo.collection('mails').find({}).toArray())
  expect(queued).toContain('msg_')
  for (const text of ['Camille', 'example.org', 'choir']) expect(queued).not.toContain(text)
})
