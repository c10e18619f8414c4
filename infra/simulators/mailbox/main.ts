/** Starts the mailbox by itself: `node infra/simulators/mailbox/main.ts`. HTTP_PORT (8093), SMTP_PORT (8094), HOST, DATA_FILE. */
import { startMailbox } from './server.ts'

const { HTTP_PORT, SMTP_PORT, HOST, DATA_FILE } = process.env
const mailbox = await startMailbox({
  httpPort: Number(HTTP_PORT ?? 8093),
  smtpPort: Number(SMTP_PORT ?? 8094),
  ...(HOST ? { host: HOST } : {}),
  ...(DATA_FILE ? { dataFile: DATA_FILE } : {}),
})
console.log(`mailbox on ${mailbox.url}, taking mail on ${mailbox.smtpUrl}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void mailbox.stop())
