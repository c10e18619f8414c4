/** Guests of a test whose bookings make accounts, and what they do with the mails that they get. */
import type { AccountFromBooking } from '@passerelle/contracts/http/identity'
import { type Answer, eventually, openWorld } from './identity.fixture.ts'

let guests = 0
export const address = () => `ines${++guests}@example.org`
/** The secret of the link in a mail's text. */
export const linkIn = (text: string) => /set-password#([\w-]+)/.exec(text)?.[1] ?? ''

export type GuestWorld = Awaited<ReturnType<typeof openGuestWorld>>

/** The world with what guests do in it. */
export async function openGuestWorld() {
  const world = await openWorld()
  return {
    world,
    claim: (bookingId: string, caller: object = {}): Promise<Answer<AccountFromBooking>> =>
      world.call('POST', '/internal/accounts/from-booking', { bookingId }, caller),
    login: (username: string, password: string) => world.call('POST', '/api/auth/login', { username, password }),
    setPassword: (token: string, newPassword = 'Chosen-By-Me-12') => world.call('POST', '/api/auth/set-password', { token, newPassword }),
    /** The mails of this subject, once there are as many. */
    mails: (email: string, subject: string, count = 1) =>
      eventually(`the mail "${subject}"`, async () => {
        const found = (await world.mailsTo(email)).filter((mail) => mail.subject.startsWith(subject))
        return found.length >= count && found
      }),
  }
}
