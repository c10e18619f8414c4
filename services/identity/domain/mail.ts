/** The words of an account's mails. No password, ever. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { type Letter, letter } from '@passerelle/contracts/rules/letter'
import type { UserRecord } from './user.ts'

export type AccountMail = 'welcome' | 'linked'

export function writeLetter(
  template: AccountMail,
  user: UserRecord,
  brand: Brand,
  site: string,
  about: { link?: string; reference?: string },
): Letter {
  const sign = [brand.name, brand.contact.phone, brand.contact.email].filter(Boolean).join(' · ')
  const write = (subject: string, lines: string[]) =>
    letter(`${subject} - ${brand.name}`, brand.name, { text: brand.theme.text, heading: brand.theme.primary }, [
      `Dear ${user.firstName},`,
      ...lines,
      sign,
    ])
  if (template === 'linked')
    return write(`Booking ${about.reference ?? ''} was added to your account`.replace('  ', ' '), [
      'You already have an account with this e-mail address, so your new booking was added to it.',
      `Sign in to see it: ${site}/login`,
    ])
  return write('Your account', [
    `We made an account for you with your booking. Your username is ${user.username}.`,
    `Choose your own password with this link. It works once and for 24 hours: ${about.link ?? `${site}/login`}`,
  ])
}
