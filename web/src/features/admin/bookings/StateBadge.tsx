import type { OfficeState } from '@passerelle/contracts/http/back-office'
import { TriangleAlert } from 'lucide-react'
import { Badge } from '../../../ui/Badge.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { STATES } from './words.ts'

export function StateBadge({ state }: { state: OfficeState }) {
  if (state === 'attention')
    return (
      <Badge tone="warning" icon={TriangleAlert}>
        {STATES.attention}
      </Badge>
    )
  if (state === 'failed') return <Badge tone="negative">{STATES.failed}</Badge>
  return <StatusBadge status={state} />
}
