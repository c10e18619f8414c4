import type { BrandSummary } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { countNoun } from '../../../lib/format/people.ts'
import { Badge } from '../../../ui/Badge.tsx'

type Props = { brand: Pick<BrandSummary, 'key' | 'status' | 'changes'> }

/** What visitors see of a brand, and what waits for them. */
export function BrandStatusBadges({ brand: { key, status, changes } }: Props) {
  return (
    <>
      {key === DEFAULT_BRAND_KEY && <Badge tone="brand">Default</Badge>}
      {status === 'live' && key !== DEFAULT_BRAND_KEY && <Badge tone="positive">Live</Badge>}
      {status === 'draft' && <Badge>Draft</Badge>}
      {status === 'deactivated' && <Badge>Deactivated</Badge>}
      {changes.length > 0 && <Badge tone="warning">Draft with {countNoun(changes.length, 'change')}</Badge>}
    </>
  )
}
