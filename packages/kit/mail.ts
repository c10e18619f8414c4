/** One mailer for every service that owns a mail. A message id made from what the mail is about lets servers drop a second copy. */
import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'

export type Mail = {
  /** What it is about, e.g. `booking-confirmed:bk_1`: the same text gives the same Message-ID. */
  key: string
  to: string
  /** Name shown beside the sender address, e.g. the brand's name. */
  fromName: string
  subject: string
  text: string
  html: string
}

/** Per process; what is sent at once beyond it waits for one of them. */
const CONNECTIONS = 4

export type Mailer = { send(mail: Mail): Promise<void>; close(): void }

export function createMailer(smtpUrl: string, fromAddress: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    // Connections are kept for the next mail: greeting and encryption cost more than the mail.
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: 5000,
    greetingTimeout: 5000,
    socketTimeout: 15_000,
  })
  return {
    async send(mail) {
      const id = createHash('sha256').update(mail.key).digest('hex').slice(0, 32)
      await transport.sendMail({
        messageId: `<${id}@${fromAddress.split('@')[1] ?? 'passerelle.example'}>`,
        from: { name: mail.fromName, address: fromAddress },
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
      })
    },
    close: () => transport.close(),
  }
}
