/** The mailer in front of a mail server that goes and comes back. */
import { type Mailbox, startMailbox } from '@passerelle/simulators/mailbox/server'
import { afterEach, expect, test } from 'vitest'
import { createMailer, type Mail, type Mailer } from './mail.ts'

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
const received = async () => {
  const { messages } = (await (await fetch(`${mailbox.url}/_sim/ledger`)).json()) as { messages: { subject: string; messageId: string }[] }
  return messages
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
