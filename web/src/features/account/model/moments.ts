/** Instants in the visitor's own words and time zone. */
import type { SessionInfo } from '@passerelle/contracts/http/account'
import type { User } from '@passerelle/contracts/http/identity'
import { addDays, clockTime, formatDate, today } from '../../../lib/format/dates.ts'

/** Empty for what is no instant: a missing date never takes the page with it. */
const dayOf = (instant: string) => (Number.isNaN(Date.parse(instant)) ? '' : today(new Date(instant)))

/** "Nov 21, 2026". */
export function dateOf(instant: string): string {
  return formatDate(dayOf(instant), 'full')
}

/** When the password was changed, or the account made if it never was. */
export function passwordDate({ passwordChangedAt, createdAt }: Pick<User, 'passwordChangedAt' | 'createdAt'>): string {
  return dateOf(passwordChangedAt ?? createdAt)
}

/** "in use now", "last used yesterday at 21:14", "last used on Nov 20, 2026". */
export function lastUse({ current, lastSeenAt }: Pick<SessionInfo, 'current' | 'lastSeenAt'>, now: Date): string {
  if (current) return 'in use now'
  const [day, here] = [dayOf(lastSeenAt), today(now)]
  if (day === here) return `last used today at ${clockTime(lastSeenAt)}`
  if (day === addDays(here, -1)) return `last used yesterday at ${clockTime(lastSeenAt)}`
  return `last used on ${formatDate(day, 'full')}`
}
