/** Mails about a visitor's message, to the agency, to the sender, and an administrator's answer; and to whoever was signed up for the newsletter. */
import type { Brand } from '@passerelle/contracts/http/brand'
import type { ContactMessage } from '@passerelle/contracts/http/messages'
import { type Letter, letter } from '@passerelle/contracts/rules/letter'
import { mailName } from '@passerelle/contracts/rules/mail-name'

export type MessageMail = 'received' | 'acknowledged' | 'answer'

const sentBy = (brand: Brand) => [brand.name, brand.contact.phone, brand.contact.email].filter(Boolean).join(' · ')
const aboutOf = ({ subject, inquiryType }: ContactMessage) => subject ?? `Inquiry: ${inquiryType ?? 'other'}`

/** For the agency: everything that was typed. */
export function receivedLetter(message: ContactMessage, brand: Brand, site: string): Letter {
  const facts = [
    ['From', `${message.name} <${message.email}>`],
    ['Phone', message.phone],
    ['Please answer by', message.preferredContact === 'phone' ? 'phone' : null],
    ['About', aboutOf(message)],
    ['Destination', message.destination],
    ['Booking reference', message.reference],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  const lines = [...facts, ...message.message.split(/\n{2,}/), `All messages: ${site}/admin/messages`]
  return letter(`New message: ${aboutOf(message)}`, brand, lines)
}

/** For the sender. Nothing of the message is in it: the address may be somebody else's. */
export function acknowledgement(message: ContactMessage, brand: Brand, site: string): Letter {
  return letter(`We have received your message - ${brand.name}`, brand, [
    `Dear ${mailName(message.name) ?? 'traveller'},`,
    'Thank you for writing to us. We have received your message and usually answer within 24 hours.',
    `If your journey begins soon, please call us: ${brand.contact.phone || `${site}/contact`}`,
    'If you did not write to us, somebody typed your address by mistake, and you need to do nothing.',
    sentBy(brand),
  ])
}

export function signUpLetter(brand: Brand, leave: string): Letter {
  return letter(`Fares by e-mail from ${brand.name}`, brand, [
    'This address was signed up for our fares by e-mail. We write when fares drop.',
    `If you do not want this, or somebody typed it by mistake, one click ends it and deletes your address: ${leave}`,
    sentBy(brand),
  ])
}

export function answerLetter(message: ContactMessage, answer: string, brand: Brand): Letter {
  const quoted = message.message.split('\n').map((line) => `> ${line}`)
  return letter(`Re: ${aboutOf(message)} - ${brand.name}`, brand, [
    ...answer.split(/\n{2,}/),
    sentBy(brand),
    `You wrote on ${message.receivedAt.slice(0, 10)}:`,
    ...quoted,
  ])
}
