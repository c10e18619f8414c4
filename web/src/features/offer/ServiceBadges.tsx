import { type LucideIcon, Luggage, Utensils, Wifi } from 'lucide-react'
import { Badge } from '../../ui/Badge.tsx'
import type { ServiceBadge } from './model/summary.ts'

const ICONS: Record<ServiceBadge['type'], LucideIcon> = { wifi: Wifi, meal: Utensils, baggage: Luggage }

export function ServiceBadges({ badges }: { badges: readonly ServiceBadge[] }) {
  return badges.map(({ type, label }) => (
    <Badge key={type} icon={ICONS[type]}>
      {label}
    </Badge>
  ))
}
