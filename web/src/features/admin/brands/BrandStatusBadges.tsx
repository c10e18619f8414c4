import type { BrandSummary } from '@passerelle/contracts/http/brand-manager'
import { countNoun } from '../../../lib/format/people.ts'
import { Badge } from '../../../ui/Badge.tsx'

type Props = { brand: Pick<BrandSummary, 'key' | 'status' | 'changes'> }

/** What visitors see of a brand, and what waits for them. */
export function BrandStatusBadges({ brand: { key, status, changes } }: Props) {
  return (
    <>
      {key === 'default' && <Badge tone="brand">Default</Badge>}
      {status === 'live' && key !== 'default' && <Badge tone="positive">Live</Badge>}
      {status === 'draft' && <Badge>Draft</Badge>}
      {status === 'deactivated' && <Badge>Deactivated</Badge>}
      {changes.length > 0 && <Badge tone="warning">Draft with {countNoun(changes.length, 'change')}</Badge>}
    </>
  )
}
