import { Info, type LucideIcon, MessageCircle, Plane, Ticket } from 'lucide-react'
import { paths } from '../../lib/paths.ts'

type NavigationItem = {
  to: string
  label: string
  icon: LucideIcon
  /** Also the current one on these paths; one that ends in / stands for all below it. */
  covers: readonly string[]
}

export const NAVIGATION: readonly NavigationItem[] = [
  { to: paths.home, label: 'Flights', icon: Plane, covers: [paths.search, '/flight/', paths.booking] },
  { to: paths.trips, label: 'My Trips', icon: Ticket, covers: [`${paths.booking}/`] },
  { to: paths.about, label: 'About', icon: Info, covers: [] },
  { to: paths.contact, label: 'Contact', icon: MessageCircle, covers: [] },
]

export function isCurrent(item: NavigationItem, pathname: string): boolean {
  return pathname === item.to || item.covers.some((path) => (path.endsWith('/') ? pathname.startsWith(path) : pathname === path))
}
