/** One received mail, as tests and the web page read it. */
import PostalMime, { type Address } from 'postal-mime'

export type Person = { name: string; address: string }

export type MessageSummary = {
  id: string
  /** As the sender wrote it, angle brackets included; empty when there was none. Two mails may share one: nothing is dropped. */
  messageId: string
  receivedAt: string
  from: Person
  to: Person[]
  cc: Person[]
  /** Whom the mail was really handed over for, whatever its header says. */
  envelope: { from: string; to: string[] }
  subject: string
  attachments: { filename: string; mimeType: string; bytes: number }[]
  bytes: number
}
export type Message = MessageSummary & { text: string; html: string; headers: { name: string; value: string }[] }

/** @param raw the mail as it came over SMTP. */
export const readMessage = async (raw: Buffer, envelope: MessageSummary['envelope'], receivedAt: Date): Promise<Omit<Message, 'id'>> => {
  const mail = await PostalMime.parse(raw)
  return {
    messageId: mail.messageId ?? '',
    receivedAt: receivedAt.toISOString(),
    from: people(mail.from ? [mail.from] : [])[0] ?? { name: '', address: envelope.from },
    to: people(mail.to),
    cc: people(mail.cc),
    envelope,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      filename: filename ?? 'unnamed',
      mimeType,
      bytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
    })),
    bytes: raw.length,
  }
}

export const attachmentOf = async (raw: Buffer, index: number): Promise<{ filename: string; content: Buffer } | undefined> => {
  const attachment = (await PostalMime.parse(raw)).attachments[index]
  if (!attachment) return undefined
  const { content, filename } = attachment
  const bytes =
    typeof content === 'string' ? Buffer.from(content) : ArrayBuffer.isView(content) ? Buffer.from(content) : Buffer.from(content)
  return { filename: filename ?? 'unnamed', content: bytes }
}

export const summaryOf = ({ text: _text, html: _html, headers: _headers, ...summary }: Message): MessageSummary => summary

const people = (addresses: Address[] | undefined): Person[] =>
  (addresses ?? []).flatMap((address) => address.group ?? [{ name: address.name, address: address.address ?? '' }])
