/** A mail server that keeps what it gets: SMTP on one port, a page and JSON on the other. It drops no duplicate, so that tests see the truth. */
import type { AddressInfo } from 'node:net'
import express from 'express'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { createControl, type Fault, listenLocally } from '../control.ts'
import { type Messages, openMessages } from './messages.ts'
import { listPage, mailPage } from './pages.ts'

export type Mailbox = { url: string; smtpUrl: string; stop(): Promise<void> }

export type MailboxOptions = {
  /** Loopback unless told; containers listen for their neighbours. */
  host?: string
  httpPort?: number
  smtpPort?: number
  /** Keeps the mails over restarts. */
  dataFile?: string
}

const LARGEST_BYTES = 5 * 1024 * 1024

/** The fault `smtp` refuses a mail after it was sent: `{ effect: 'smtp', status: 451, times: 3 }`. */
export async function startMailbox({ host = '127.0.0.1', httpPort = 0, smtpPort = 0, dataFile }: MailboxOptions = {}): Promise<Mailbox> {
  const messages = openMessages(dataFile)
  const control = createControl({
    ledger: () => ({ messages: messages.list({}).map(({ html: _, headers: __, ...message }) => message) }),
    reset: () => messages.clear(),
    effects: ['smtp'],
  })
  const smtp = await listenSmtp(messages, () => control.take('smtp'), smtpPort, host)
  const web = await listenLocally(website(messages, control), httpPort, host)
  return {
    url: web.url,
    smtpUrl: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    async stop() {
      await Promise.all([web.stop(), new Promise<void>((resolve) => smtp.close(() => resolve()))])
      messages.close()
    },
  }
}

function website(messages: Messages, control: ReturnType<typeof createControl>): express.Express {
  const app = express()
  app.use(control.router)
  app.use(control.faults)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  app.get(
    '/messages',
    (request, response) => void response.json(messages.list({ to: text(request.query.to), subject: text(request.query.subject) })),
  )
  app.get('/messages/:id', (request, response) => {
    const message = messages.get(Number(request.params.id))
    if (message) response.json(message)
    else response.status(404).json({ error: 'no such message' })
  })
  app.get('/mail/:id', (request, response) => {
    const message = messages.get(Number(request.params.id))
    if (message) response.type('html').send(mailPage(message))
    else
      response
        .status(404)
        .type('html')
        .send(listPage(messages.list({})))
  })
  app.get('/', (_request, response) => void response.type('html').send(listPage(messages.list({}))))
  return app
}

async function listenSmtp(messages: Messages, refusal: () => Fault | undefined, port: number, host: string): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: LARGEST_BYTES,
    closeTimeout: 500,
    logger: false,
    onData(stream, session, done) {
      receive(stream, session, messages, refusal).then(() => done(), done)
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return server
}

async function receive(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  messages: Messages,
  refusal: () => Fault | undefined,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) throw Object.assign(new Error('message too large'), { responseCode: 552 })
  const fault = refusal()
  if (fault) throw Object.assign(new Error('refused on request'), { responseCode: fault.status ?? 451 })
  const parsed = await PostalMime.parse(Buffer.concat(chunks))
  const { mailFrom, rcptTo } = session.envelope
  messages.add({
    receivedAt: new Date().toISOString(),
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map((recipient) => recipient.address),
    messageId: parsed.messageId ?? null,
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
  })
}
