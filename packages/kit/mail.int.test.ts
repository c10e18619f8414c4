/** The mailer in front of a mail server that goes and comes back. */

import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { type Mailbox, startMailbox } from '@passerelle/simulators/mailbox/server'
import { afterEach, expect, test } from 'vitest'
import { createMailer, type Mail, type Mailer, mailFrom } from './mail.ts'

let mailbox: Mailbox
let mailer: Mailer
afterEach(async () => {
  mailer.close()
  await mailbox.stop()
})

const mail = (key: string): Mail => ({
  key,
  to: 'ada@example.org',
  fromName: 'Passerelle',
  subject: key,
  text: 'Hello',
  html: '<p>Hello</p>',
})
type Received = {
  subject: string
  messageId: string
  from: { name: string; address: string }
  envelope: { from: string; to: string[] }
  headers: { name: string; value: string }[]
}
const received = async () => {
  const list = (await (await fetch(`${mailbox.url}/messages`)).json()) as { id: string }[]
  return Promise.all(list.map(async ({ id }) => (await (await fetch(`${mailbox.url}/messages/${id}`)).json()) as Received))
}

test('many mails at once all arrive, and the same mail twice has the same Message-ID', async () => {
  mailbox = await startMailbox()
  mailer = createMailer(mailbox.smtpUrl, 'hello@passerelle.example')
  const keys = Array.from({ length: 12 }, (_, index) => `mail-${index}`)
  await Promise.all([...keys, 'mail-0'].map((key) => mailer.send(mail(key))))
  const messages = await received()
  expect(messages.map(({ subject }) => subject).sort()).toEqual([...keys, 'mail-0'].sort())
  expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(12)
})

test('after a restart of the server mails are sent again, over new connections', async () => {
  mailbox = await startMailbox()
  mailer = createMailer(mailbox.smtpUrl, 'hello@passerelle.example')
  await mailer.send(mail('before'))
  const { smtpPort } = mailbox
  await mailbox.stop()
  await expect(mailer.send(mail('meanwhile'))).rejects.toThrow('ECONNREFUSED')
  mailbox = await startMailbox({ smtpPort })
  await mailer.send(mail('after'))
  expect((await received()).map(({ subject }) => subject)).toEqual(['after'])
})

test('R-72: a mail comes from the brand’s own address where it has one, in its header and its envelope, and else from the installation’s', async () => {
  mailbox = await startMailbox()
  mailer = createMailer(mailbox.smtpUrl, 'hello@passerelle.example')
  const brand = { ...defaultBrand, name: 'Atlas' }
  const sender = { name: 'Atlas Travel', address: 'trips@atlas.example', replyTo: 'answers@atlas.example' }
  await mailer.send({ ...mail('own'), ...mailFrom({ brand, sender }) })
  await mailer.send({ ...mail('name'), ...mailFrom({ brand, sender: { ...sender, address: null, replyTo: null } }) })
  await mailer.send({ ...mail('older'), ...mailFrom({ brand }) })
  const seen = Object.fromEntries(
    (await received()).map(({ subject, from, envelope, headers }) => [
      subject,
      [from, envelope.from, headers.find(({ name }) => name === 'Reply-To')?.value],
    ]),
  )
  expect(seen).toEqual({
    own: [{ name: 'Atlas Travel', address: 'trips@atlas.example' }, 'trips@atlas.example', 'answers@atlas.example'],
    name: [{ name: 'Atlas Travel', address: 'hello@passerelle.example' }, 'hello@passerelle.example', undefined],
    older: [{ name: 'Atlas', address: 'hello@passerelle.example' }, 'hello@passerelle.example', undefined],
  })
})

test('a name or an address with line breaks adds no header and no recipient', async () => {
  mailbox = await startMailbox()
  mailer = createMailer(mailbox.smtpUrl, 'hello@passerelle.example')
  const broken = 'x\r\nBcc: eve@example.org\r\nX-Added: yes'
  await mailer.send({ ...mail('broken'), fromName: broken, fromAddress: 'a@atlas.example', replyTo: `a@atlas.example${broken}` })
  const [only] = await received()
  expect(only?.envelope.to).toEqual(['ada@example.org'])
  expect(only?.headers.map(({ name }) => name.toLowerCase()).filter((name) => ['bcc', 'x-added'].includes(name))).toEqual([])
})
