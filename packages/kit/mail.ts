/** The mailer. The Message-ID is made from the mail's key, so that servers can drop a second copy. */
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import type { Brand, MailSender } from '@passerelle/contracts/http/brand'
import { clearTimer, setTimer } from './runtime.ts'

export type Mail = {
  /** e.g. `booking-confirmed:bk_1`: the same key gives the same Message-ID. */
  key: string
  to: string
  /** Name shown beside the sender address, e.g. the brand's name. */
  fromName: string
  /** In place of the installation's own sender address; proved by whoever reads its mail. */
  fromAddress?: string
  /** Where answers go; the sender address when there is none. */
  replyTo?: string
  subject: string
  text: string
  html: string
}

/** A brand and whom its mails come from. */
export type MailBrand = { brand: Brand; sender?: MailSender | undefined }

/** Per process; further mails wait for a free one. */
const CONNECTIONS = 4

const CONNECT_MS = 5000

export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

/** Who a mail of a brand is from; `sender` is absent in a copy of an earlier release. */
export function mailFrom({ brand, sender }: MailBrand): Pick<Mail, 'fromName' | 'fromAddress' | 'replyTo'> {
  return {
    fromName: sender?.name ?? brand.name,
    ...(sender?.address && { fromAddress: sender.address }),
    ...(sender?.replyTo && { replyTo: sender.replyTo }),
  }
}

export function createMailer(smtpUrl: string, fromAddress: string): Mailer {
  const open = async () => {
    // The first mail loads the library, so that no start waits for it.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: smtpUrl,
      // Connections are kept for the next mail: greeting and encryption cost more than the mail.
      pool: true,
      maxConnections: CONNECTIONS,
      getSocket: connectByName,
      greetingTimeout: 5000,
      socketTimeout: 15_000,
    })
  }
  let transport: ReturnType<typeof open> | undefined
  return {
    async send(mail) {
      const id = createHash('sha256').update(mail.key).digest('hex').slice(0, 32)
      transport ??= open()
      await (await transport).sendMail({
        messageId: `<${id}@${fromAddress.split('@')[1] ?? 'passerelle.example'}>`,
        from: { name: mail.fromName, address: mail.fromAddress ?? fromAddress },
        to: mail.to,
        ...(mail.replyTo && { replyTo: mail.replyTo }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
      })
    },
    close: () => void transport?.then((opened) => opened.close()),
  }
}

/** Resolves the name for each connection: the library caches it for five minutes, but a container may get a new address when it restarts. */
function connectByName(
  { host, port, secure }: { host?: string; port?: number | string; secure?: boolean },
  done: (error: Error | null, found?: { connection: Socket }) => void,
): void {
  const socket = connect({ host: host ?? 'localhost', port: Number(port) || (secure ? 465 : 587), noDelay: true })
  const late = setTimer(() => socket.destroy(new Error('the mail server does not answer')), CONNECT_MS)
  const fail = (error: Error) => {
    clearTimer(late)
    done(error)
  }
  socket.once('error', fail)
  socket.once('connect', () => {
    clearTimer(late)
    socket.off('error', fail)
    done(null, { connection: socket })
  })
}
