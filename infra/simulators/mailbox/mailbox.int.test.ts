import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Message } from './messages.ts'
import { type Mailbox, startMailbox } from './server.ts'

let mailbox: Mailbox
const dataFile = join(mkdtempSync(join(tmpdir(), 'mailbox-')), 'mail.db')

beforeEach(async () => {
  mailbox = await startMailbox({ dataFile })
})
afterEach(async () => {
  await fetch(`${mailbox.url}/_sim/reset`, { method: 'POST' })
  await mailbox.stop()
})

const send = async (change: object = {}) => {
  const transport = createTransport(mailbox.smtpUrl)
  try {
    await transport.sendMail({
      from: 'Atelier <no-reply@passerelle.example>',
      to: 'ines@example.org',
      subject: 'Vos billets: été',
      text: 'Bonjour Inès',
      html: '<p>Bonjour <b>Inès</b></p>',
      messageId: '<one@passerelle.example>',
      ...change,
    })
  } finally {
    transport.close()
  }
}
const list = async (query = '') => (await (await fetch(`${mailbox.url}/messages${query}`)).json()) as Message[]

test('a mail is kept with its parts, accents and message id', async () => {
  await send()
  expect(await list()).toMatchObject([
    {
      to: ['ines@example.org'],
      subject: 'Vos billets: été',
      text: 'Bonjour Inès\n',
      messageId: '<one@passerelle.example>',
      from: 'no-reply@passerelle.example',
    },
  ])
})

test('the newest comes first, and the list can be narrowed', async () => {
  await send()
  await send({ to: 'paul@example.org', subject: 'Second' })
  expect((await list()).map((message) => message.subject)).toEqual(['Second', 'Vos billets: été'])
  expect(await list('?to=paul')).toHaveLength(1)
  expect(await list('?subject=billets')).toHaveLength(1)
})

test('the same message id twice is two mails: the box tells the truth', async () => {
  await send()
  await send()
  expect(await list()).toHaveLength(2)
})

test('mails survive the process', async () => {
  await send()
  await mailbox.stop()
  mailbox = await startMailbox({ dataFile })
  expect(await list()).toHaveLength(1)
})

test('a refusal that was asked for reaches the sender, as often as asked', async () => {
  await fetch(`${mailbox.url}/_sim/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match: {}, effect: 'smtp', status: 451, times: 1 }),
  })
  await expect(send()).rejects.toMatchObject({ responseCode: 451 })
  await send()
  expect(await list()).toHaveLength(1)
})

test('the page shows a mail without running its markup', async () => {
  await send({ subject: '<script>alert(1)</script>' })
  const [message] = await list()
  for (const path of ['/', `/mail/${message?.id}`]) {
    const page = await (await fetch(mailbox.url + path)).text()
    expect(page).not.toContain('<script>')
  }
})
