import { type LucideIcon, Luggage, Utensils, Wifi } from 'lucide-react'
import type { ServiceBadge } from '../../lib/segment.ts'
import { Badge } from '../Badge.tsx'

const ICONS: Record<ServiceBadge['type'], LucideIcon> = { wifi: Wifi, meal: Utensils, baggage: Luggage }

export function ServiceBadges({ badges }: { badges: readonly ServiceBadge[] }) {
  return badges.map(({ type, label }) => (
    <Badge key={type} icon={ICONS[type]}>
      {label}
    </Badge>
  ))
}
