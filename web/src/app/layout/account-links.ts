import { type LucideIcon, Settings, ShieldCheck, Ticket } from 'lucide-react'
import { paths } from '../../lib/paths.ts'
import { administers } from '../../lib/staff.ts'

/** What the account's menu offers besides Log Out; Admin Settings only to an administrator. */
export function accountLinks(user: Parameters<typeof administers>[0]): { to: string; label: string; icon: LucideIcon }[] {
  return [
    { to: paths.trips, label: 'My Trips', icon: Ticket },
    { to: paths.account, label: 'Account Settings', icon: Settings },
    ...(administers(user) ? [{ to: paths.adminSettings, label: 'Admin Settings', icon: ShieldCheck }] : []),
  ]
}
