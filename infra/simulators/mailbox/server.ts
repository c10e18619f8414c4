/**
 * A mailbox for development and tests: takes mail by SMTP for anybody and shows it on a web page and as JSON. Nothing leaves it.
 */
import express, { type Request } from 'express'
import { createControl, listenLocally } from '../control.ts'
import { ledgerOf } from './ledger.ts'
import { attachmentOf, type Message, readMessage, summaryOf } from './message.ts'
import { framed, listPage, messagePage } from './pages.ts'
import { smtpEffects, startSmtp } from './smtp.ts'
import { openStore } from './store.ts'

export type Mailbox = { url: string; smtpUrl: string; httpPort: number; smtpPort: number; stop(): Promise<void> }

/**
 * @param options.httpPort web page and JSON; 0, the default, takes any free port. `smtpPort` likewise.
 * @param options.dataFile a SQLite file that keeps the mails across restarts and kills; absent: in memory.
 */
export const startMailbox = async (
  options: { httpPort?: number; smtpPort?: number; host?: string; dataFile?: string; seed?: string | number } = {},
): Promise<Mailbox> => {
  const host = options.host ?? '127.0.0.1'
  const store = openStore(options.dataFile)
  let refused = 0
  const control = createControl({
    seed: options.seed ?? 1,
    ledger: () => ledgerOf(store.all(), refused),
    reset: () => {
      store.documents.wipe()
      refused = 0
    },
    effects: smtpEffects,
    clockOffsetMs: Number(store.documents.setting('clock') ?? 0),
    onClock: (offsetMs) => store.documents.setSetting('clock', String(offsetMs)),
  })

  const app = express()
  app.disable('x-powered-by')
  app.use(control.router)
  app.use(control.faults)
  app.get('/', (req, res) => void res.type('html').send(listPage(matching(store.all(), req), filterOf(req))))
  app.get('/messages', (req, res) => void res.json(matching(store.all(), req).map(summaryOf)))
  app.param('id', (_req, res, next, id) => {
    res.locals.message = store.find(id)
    if (res.locals.message) next()
    else res.status(404).json({ error: `no message ${id}` })
  })
  app.get('/messages/:id', (_req, res) => void res.json(res.locals.message))
  app.get('/view/:id', (_req, res) => void res.type('html').send(messagePage(res.locals.message as Message)))
  app.get('/messages/:id/html', (_req, res) => {
    res.set(
      'content-security-policy',
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src * data:; style-src 'unsafe-inline'; font-src *",
    )
    res.type('html').send(framed((res.locals.message as Message).html))
  })
  app.get('/messages/:id/raw', (req, res) => void res.type('text/plain').send(store.raw(req.params.id).toString()))
  app.get('/messages/:id/attachments/:index', async (req, res) => {
    const attachment = await attachmentOf(store.raw(req.params.id), Number(req.params.index))
    if (!attachment) return void res.status(404).json({ error: `no attachment ${req.params.index}` })
    res.attachment(attachment.filename).type('application/octet-stream').send(attachment.content)
  })
  app.use((req, res) => void res.status(404).json({ error: `no page ${req.path}` }))

  try {
    const http = await listenLocally(app, options.httpPort, host)
    const smtp = await startSmtp({
      port: options.smtpPort ?? 0,
      host,
      accept: async (raw, envelope) => void store.add(await readMessage(raw, envelope, control.clock.now()), raw),
      faultFor: (envelope) => {
        const request = { method: 'SMTP', path: envelope.to[0] ?? '' }
        for (const effect of smtpEffects) {
          const fault = control.take(effect, request)
          if (!fault) continue
          if (effect !== 'smtp-reset-after-commit') refused += 1
          return fault
        }
        return undefined
      },
    }).catch(async (error) => {
      await http.stop()
      throw error
    })
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= Promise.all([http.stop(), smtp.stop()]).then(() => store.documents.close())
      return stopped
    }
    return { url: http.url, smtpUrl: `smtp://127.0.0.1:${smtp.port}`, httpPort: http.port, smtpPort: smtp.port, stop }
  } catch (error) {
    store.documents.close()
    throw error
  }
}

const filterOf = (req: Request) => ({ to: String(req.query.to ?? ''), subject: String(req.query.subject ?? '') })

/** `?to=` and `?subject=` are parts of recipient and subject, in any case. */
const matching = (messages: Message[], req: Request): Message[] => {
  const wanted = filterOf(req)
  const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())
  return messages.filter(({ envelope, subject }) => envelope.to.some((address) => has(address, wanted.to)) && has(subject, wanted.subject))
}
