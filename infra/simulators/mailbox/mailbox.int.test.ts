import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterEach, describe, expect, it } from 'vitest'
import { startMailbox } from './server.ts'

const ending: (() => unknown)[] = []
const atEnd = (work: () => unknown) => void ending.push(work)
afterEach(async () => {
  for (const work of ending.splice(0).reverse()) await work()
})

const mail: SendMailOptions = {
  from: { name: 'Atlas Travel', address: 'bookings@atlas.example' },
  to: 'ada@example.com',
  subject: 'Your booking ABC123 – Zürich',
  text: 'See https://atlas.example/trips/1 for “details”.',
  html: '<p>See <a href="https://atlas.example/trips/1">your trip</a></p>',
  messageId: '<one@atlas.example>',
}

const senderTo = (smtpUrl: string) => {
  const transport = createTransport(smtpUrl)
  atEnd(() => transport.close())
  return (change: SendMailOptions = {}) => transport.sendMail({ ...mail, ...change })
}

const readerOf = (url: string) => {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asks for
  const json = async (path: string, method = 'GET', body?: unknown): Promise<any> => {
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    return JSON.parse(await response.text())
  }
  return { json, fault: (fault: unknown) => json('/_sim/faults', 'POST', fault), ledger: () => json('/_sim/ledger') }
}

const setUp = async (options: Parameters<typeof startMailbox>[0] = {}) => {
  const mailbox = await startMailbox(options)
  atEnd(() => mailbox.stop())
  return { mailbox, send: senderTo(mailbox.smtpUrl), ...readerOf(mailbox.url) }
}

describe('receiving', () => {
  it('keeps a mail with its text, HTML, headers and attachments', async () => {
    const { send, json, mailbox } = await setUp()
    const attachment = Buffer.from([0, 1, 2, 255])
    await send({
      cc: 'Bob <bob@example.com>',
      headers: { 'X-Kind': 'booking-confirmed' },
      attachments: [{ filename: 'e-ticket.pdf', content: attachment }],
    })
    const [summary, ...others] = await json('/messages')
    expect(others).toEqual([])
    expect(summary).toMatchObject({
      messageId: '<one@atlas.example>',
      from: { name: 'Atlas Travel', address: 'bookings@atlas.example' },
      to: [{ address: 'ada@example.com' }],
      cc: [{ name: 'Bob', address: 'bob@example.com' }],
      envelope: { from: 'bookings@atlas.example', to: ['ada@example.com', 'bob@example.com'] },
      subject: 'Your booking ABC123 – Zürich',
      attachments: [{ filename: 'e-ticket.pdf', bytes: 4 }],
    })
    expect(summary.html).toBeUndefined()
    const message = await json(`/messages/${summary.id}`)
    expect(message.text).toContain('for “details”.')
    expect(message.html).toContain('<a href="https://atlas.example/trips/1">')
    expect(message.headers).toContainEqual({ name: 'X-Kind', value: 'booking-confirmed' })
    const file = await fetch(`${mailbox.url}/messages/${summary.id}/attachments/0`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(attachment)
    expect(await (await fetch(`${mailbox.url}/messages/${summary.id}/raw`)).text()).toContain('Message-ID: <one@atlas.example>')
  })

  it('lists the newest first, and filters by parts of recipient and subject', async () => {
    const { send, json } = await setUp()
    await send({ subject: 'First' })
    await send({ subject: 'Second', to: 'bob@example.com' })
    await send({ subject: 'Third', to: '', bcc: 'hidden@example.com' })
    const subjects = async (query: string) => (await json(`/messages${query}`)).map((one: { subject: string }) => one.subject)
    expect(await subjects('')).toEqual(['Third', 'Second', 'First'])
    expect(await subjects('?to=BOB@')).toEqual(['Second'])
    expect(await subjects('?to=hidden')).toEqual(['Third'])
    expect(await subjects('?subject=ir')).toEqual(['Third', 'First'])
    expect(await subjects('?subject=ir&to=ada')).toEqual(['First'])
    expect(await subjects('?to=nobody')).toEqual([])
  })

  it('drops nothing: a mail that comes twice is stored twice, and the ledger shows both', async () => {
    const { send, ledger } = await setUp()
    await send()
    await send()
    await send({ messageId: '<two@atlas.example>' })
    const { messages, counts } = await ledger()
    expect(messages.map((one: { messageId: string }) => one.messageId)).toEqual([
      '<one@atlas.example>',
      '<one@atlas.example>',
      '<two@atlas.example>',
    ])
    expect(counts).toEqual({
      messages: 3,
      distinctMessageIds: 2,
      refused: 0,
      byRecipient: { 'ada@example.com': 3 },
      bySubject: { 'Your booking ABC123 – Zürich': 3 },
    })
  })

  it('takes mails from many connections at once, and any user name', async () => {
    const { mailbox, ledger } = await setUp()
    const pooled = createTransport({
      host: '127.0.0.1',
      port: mailbox.smtpPort,
      pool: true,
      maxConnections: 5,
      auth: { user: 'any', pass: 'thing' },
    })
    atEnd(() => pooled.close())
    await Promise.all(Array.from({ length: 50 }, (_, at) => pooled.sendMail({ ...mail, messageId: `<${at}@atlas.example>` })))
    expect((await ledger()).counts).toMatchObject({ messages: 50, distinctMessageIds: 50 })
  })

  it('refuses a mail that is too large', async () => {
    const { send, ledger } = await setUp()
    await expect(send({ text: 'x'.repeat(11 * 1024 * 1024) })).rejects.toMatchObject({ responseCode: 552 })
    expect((await ledger()).counts.messages).toBe(0)
  })
})

describe('the web page', () => {
  it('lists mails and shows one, with the HTML in a sandbox and nothing of a mail unescaped', async () => {
    const { send, json, mailbox } = await setUp()
    const page = async (path: string) => (await fetch(mailbox.url + path)).text()
    expect(await page('/')).toContain('No mail yet.')
    await send({
      subject: '<script>alert(1)</script>',
      html: '<p>Hello</p><script>alert(2)</script>',
      text: '<b>plain</b> https://a.example/x?y=1&z=2',
    })
    const [{ id }] = await json('/messages')
    const list = await page('/')
    expect(list).toContain(`href="/view/${id}"`)
    expect(list).not.toContain('<script>')
    expect(await page('/?to=nobody')).toContain('No mail yet.')
    const view = await page(`/view/${id}`)
    expect(view).toContain('sandbox="allow-popups')
    expect(view).not.toContain('<script>')
    expect(view).toContain('&lt;b&gt;plain&lt;/b&gt; <a href="https://a.example/x?y=1&amp;z=2"')
    const framed = await fetch(`${mailbox.url}/messages/${id}/html`)
    expect(framed.headers.get('content-security-policy')).toMatch(/^sandbox [^;]*; default-src 'none'/)
    expect(framed.headers.get('content-security-policy')).not.toContain('allow-scripts')
    expect(await framed.text()).toContain('<p>Hello</p>')
    expect((await fetch(`${mailbox.url}/view/99`)).status).toBe(404)
    expect((await fetch(`${mailbox.url}/messages/99`)).status).toBe(404)
  })
})

describe('control', () => {
  it('refuses the next mails with the SMTP status that is asked for', async () => {
    const { send, fault, ledger } = await setUp()
    await fault({ effect: 'smtp', status: 451, times: 1 })
    await fault({ effect: 'smtp', status: 550, times: 1 })
    await fault({ effect: 'smtp-reset-after-commit', times: 1 })
    await expect(send()).rejects.toMatchObject({ responseCode: 451 })
    await expect(send()).rejects.toMatchObject({ responseCode: 550 })
    await expect(send()).rejects.toThrow()
    await send()
    expect((await ledger()).counts).toMatchObject({ messages: 2, refused: 2 })
  })

  it('refuses only the recipients that the fault names', async () => {
    const { send, fault, ledger } = await setUp()
    await fault({ effect: 'smtp', status: 450, match: { path: '*@full.example' } })
    await expect(send({ to: 'a@full.example' })).rejects.toMatchObject({ responseCode: 450 })
    await send()
    expect((await ledger()).counts.byRecipient).toEqual({ 'ada@example.com': 1 })
  })

  it('cuts the connection before or after the mail is kept', async () => {
    const { send, fault, ledger } = await setUp()
    await fault({ effect: 'smtp-reset', times: 1 })
    await expect(send()).rejects.toThrow()
    expect((await ledger()).counts.messages).toBe(0)
    await fault({ effect: 'smtp-reset-after-commit', times: 1 })
    await expect(send()).rejects.toThrow()
    expect((await ledger()).counts.messages).toBe(1)
  })

  it('knows faults of its web side too, moves its clock, and forgets on reset', async () => {
    const { send, fault, json, mailbox } = await setUp()
    await send()
    await fault({ effect: 'status', status: 503, match: { path: '/messages' }, times: 1 })
    expect((await fetch(`${mailbox.url}/messages`)).status).toBe(503)
    await json('/_sim/clock', 'POST', { advanceSeconds: 86_400 })
    await send()
    const [late, early] = await json('/messages')
    expect(Date.parse(late.receivedAt) - Date.parse(early.receivedAt)).toBeGreaterThanOrEqual(86_400_000)
    await json('/_sim/reset', 'POST')
    expect(await json('/messages')).toEqual([])
  })
})

describe('start and stop', () => {
  it('has every accepted mail after kill -9', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mailbox-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    const dataFile = join(folder, 'mailbox.sqlite')
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: { ...process.env, HTTP_PORT: '0', SMTP_PORT: '0', DATA_FILE: dataFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    atEnd(() => void child.kill('SIGKILL'))
    const smtpUrl = await new Promise<string>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the mailbox ended')))
      child.stdout.on('data', (chunk) => {
        const found = /smtp:\/\/\S+/.exec(String(chunk))
        if (found) resolve(found[0])
      })
    })
    const send = senderTo(smtpUrl)
    await send({ messageId: '<1@x.example>' })
    await send({ messageId: '<2@x.example>' })
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
    const { json } = await setUp({ dataFile })
    const messages = await json('/messages')
    expect(messages.map((one: { messageId: string }) => one.messageId)).toEqual(['<2@x.example>', '<1@x.example>'])
    expect((await json(`/messages/${messages[0].id}`)).text).toContain('details')
  })

  it('says so when a port is taken, and leaves nothing behind', async () => {
    const { mailbox } = await setUp()
    await expect(startMailbox({ smtpPort: mailbox.smtpPort })).rejects.toThrow('EADDRINUSE')
    await expect(startMailbox({ httpPort: mailbox.httpPort })).rejects.toThrow('EADDRINUSE')
  })

  it('stops although a client is connected', async () => {
    const { mailbox } = await setUp()
    const pooled = createTransport({ host: '127.0.0.1', port: mailbox.smtpPort, pool: true })
    atEnd(() => pooled.close())
    await pooled.sendMail(mail)
    await mailbox.stop()
    await expect(pooled.sendMail(mail)).rejects.toThrow()
  })
})
