/** Instead of SMTP: mails into the ledger. */
import type { Mail, Mailer } from '@passerelle/kit/mail'
import { world } from '../runtime.ts'
import { system } from '../system.ts'

export function createMailer(): Mailer {
  return {
    send: ({ key, to, subject }: Mail) =>
      world().cross('mail.send', () => system().outside.receiveMail({ key, to, subject, at: world().now }), {
        lost: () => new Error('the mail server does not answer'),
        timeoutMs: 15_000,
        repeatable: true,
      }),
    close: () => undefined,
  }
}
