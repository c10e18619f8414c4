import type { User } from '@passerelle/contracts/http/identity'
import { type LucideIcon, Settings, ShieldCheck, Ticket } from 'lucide-react'
import { paths } from '../../lib/paths.ts'

/** What the account's menu offers besides Log Out; Admin Settings only to an administrator. */
export function accountLinks(user: Pick<User, 'isAdmin'>): { to: string; label: string; icon: LucideIcon }[] {
  return [
    { to: paths.trips, label: 'My Trips', icon: Ticket },
    { to: paths.account, label: 'Account Settings', icon: Settings },
    ...(user.isAdmin === true ? [{ to: paths.adminSettings, label: 'Admin Settings', icon: ShieldCheck }] : []),
  ]
}
