/** The words of an account's mails. No password, ever, and of what people typed only what passes for a name. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { type Letter, letter } from '@passerelle/contracts/rules/letter'
import { mailName } from '@passerelle/contracts/rules/mail-name'
import type { UserRecord } from './user.ts'

/**
 * welcome: an account was made with a guest's booking. linked: such a booking joined an account. waiting: it cannot, because the account
 * has not verified its address. verify: an account was registered, or asked for the link again. reset: somebody has forgotten its password. many-failures: its password is being guessed.
 */
export type AccountMail = 'welcome' | 'linked' | 'waiting' | 'verify' | 'reset' | 'many-failures'

type MailFacts = { link?: string; reference?: string }

export function writeLetter(template: AccountMail, user: UserRecord, brand: Brand, site: string, facts: MailFacts): Letter {
  const sign = [brand.name, brand.contact.phone, brand.contact.email].filter(Boolean).join(' · ')
  const { subject, lines } = TEXTS[template](user, site, facts)
  return letter(`${subject} - ${brand.name}`, brand, [`Dear ${mailName(user.firstName) ?? 'traveller'},`, ...lines, sign])
}

type Words = { subject: string; lines: string[] }

const named = (reference: string | undefined) => (reference ? `Booking ${reference}` : 'A booking')

const TEXTS: Record<AccountMail, (user: UserRecord, site: string, facts: MailFacts) => Words> = {
  welcome: (user, site, { link }) => ({
    subject: 'Your account',
    lines: [
      `We made an account for you with your booking. Your username is ${user.username}.`,
      `Choose your own password with this link. It works once and for 24 hours, and confirms this address: ${link ?? `${site}/login`}`,
      'Until then the account shows the booking that it was made with, and no other one made with this address.',
    ],
  }),
  linked: (_, site, { reference }) => ({
    subject: `${named(reference)} was added to your account`,
    lines: [
      'You already have an account with this e-mail address, so your new booking was added to it.',
      `Sign in to see it: ${site}/login`,
    ],
  }),
  waiting: (_, site, { link, reference }) => ({
    subject: `${named(reference)} is not in your account yet`,
    lines: [
      'There is an account with this e-mail address, but nobody has confirmed yet that the address is theirs. So your booking was not added to it.',
      `To confirm, and to take the account over with a password of your own, use this link. It works once and for 24 hours: ${link ?? `${site}/login`}`,
      'Everybody who is signed in to the account is signed out by it. Without it your booking stays as it is, and outside the account.',
    ],
  }),
  verify: (_, site, { link }) => ({
    subject: 'Please confirm your e-mail address',
    lines: [
      `You made an account with this address. Confirm that it is yours with this link, which works once and for 24 hours: ${link ?? `${site}/login`}`,
      'From then on bookings that are made with this address appear in the account.',
      'If you did not make an account here, do not use the link, and nothing happens.',
    ],
  }),
  reset: (user, site, { link }) => ({
    subject: 'Choose a new password',
    lines: [
      `Somebody asked for a new password for your account. Your username is ${user.username}.`,
      `Choose it with this link, which works once and for one hour: ${link ?? `${site}/forgot-password`}`,
      'Everybody who is signed in to the account is signed out by it.',
      'If it was not you, do not use the link: your password stays as it is.',
    ],
  }),
  'many-failures': (_, site) => ({
    subject: 'Somebody tries to sign in to your account',
    lines: [
      'There were many attempts with a wrong password. Nobody got in by them, and we have slowed further attempts down.',
      `If it was not you, you need to do nothing. If your password is short or used elsewhere as well, change it: ${site}/account-settings`,
    ],
  }),
}
