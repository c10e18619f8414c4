/** The SMTP side: takes every mail for anybody, unless a fault says otherwise. */
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Fault } from '../control.ts'

const MAX_BYTES = 10 * 1024 * 1024

export const smtpEffects = ['smtp', 'smtp-reset', 'smtp-reset-after-commit'] as const

export type Envelope = { from: string; to: string[] }

/**
 * @param options.accept keeps the mail; the sender gets 250 when it resolves.
 * @param options.faultFor the fault that strikes this mail, if any: `smtp` answers `status` (451), `smtp-reset` cuts the connection,
 *   `smtp-reset-after-commit` keeps the mail and then cuts the connection; `ms` waits first.
 */
export const startSmtp = async (options: {
  port: number
  host: string
  accept: (raw: Buffer, envelope: Envelope) => Promise<void>
  faultFor: (envelope: Envelope) => Fault | undefined
}): Promise<{ port: number; stop(): Promise<void> }> => {
  const sockets = new Map<number | undefined, Socket>()
  const cut = (session: SMTPServerSession) => sockets.get(session.remotePort)?.resetAndDestroy()

  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    if (stream.sizeExceeded) throw refusal(552, 'The message is too large')
    const envelope: Envelope = {
      from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
      to: session.envelope.rcptTo.map(({ address }) => address),
    }
    const fault = options.faultFor(envelope)
    if (fault?.ms) await new Promise((resolve) => setTimeout(resolve, fault.ms))
    if (fault?.effect === 'smtp') throw refusal(fault.status ?? 451, typeof fault.body === 'string' ? fault.body : 'Refused as asked for')
    if (fault?.effect !== 'smtp-reset') await options.accept(Buffer.concat(chunks), envelope)
    if (fault) cut(session)
    return 'Kept'
  }

  const server = new SMTPServer({
    banner: 'development mailbox',
    // Loopback only: nothing to encrypt, and any user name will do.
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    size: MAX_BYTES,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anybody' }),
    onData: (stream, session, callback) => {
      receive(stream, session).then(
        (text) => callback(null, text),
        (error) => callback(error),
      )
    },
  })
  // A client that goes away in the middle is no reason to stop.
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket
    sockets.set(remotePort, socket)
    socket.once('close', () => sockets.delete(remotePort))
  })
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(options.port, options.host, () => resolve())
  })
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets.values()) socket.destroy()
    })
  return { port: (server.server.address() as AddressInfo).port, stop }
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
