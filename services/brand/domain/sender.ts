/** Who a brand's mails come from. Nothing is written here. */
import type { MailSender } from '@passerelle/contracts/http/brand'
import { SenderInput } from '@passerelle/contracts/http/brand-host'

export type StoredSender = SenderInput & {
  /** The address that somebody has proved; while another one waits for its proof mails still come from it. null: none. */
  proved: string | null
  /** Milliseconds since 1970 when the address was set: tells a mail to it from one to the address before. */
  setAt: number
}

/** Of a brand that nobody has set one for: the installation's own. */
export const noSender = (fromName: string): StoredSender => ({ fromName, fromAddress: '', replyTo: '', proved: null, setAt: 0 })

export function changedSender({ fromAddress, proved, setAt }: StoredSender, input: SenderInput, at: number): StoredSender {
  return { ...input, proved: input.fromAddress === '' ? null : proved, setAt: input.fromAddress === fromAddress ? setAt : at }
}

export const isProved = ({ fromAddress, proved }: StoredSender) => fromAddress !== '' && proved === fromAddress

/** As mails carry it. Stored values that a mail must not have are as good as none. */
export function mailSender(stored: StoredSender | null | undefined, brandName: string): MailSender {
  const { data } = SenderInput.safeParse(stored ?? {})
  if (!stored || !data) return { name: brandName, address: null, replyTo: null }
  const address = SenderInput.shape.fromAddress.safeParse(stored.proved).data || null
  return { name: data.fromName, address, replyTo: (address && data.replyTo) || null }
}
