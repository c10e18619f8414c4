import type { Facets } from '@passerelle/contracts/http/offer-view'
import { ChevronDown, X } from 'lucide-react'
import { type Ref, useId } from 'react'
import { countNoun, travellersText } from '../../../lib/format/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { Chip } from '../model/facets.ts'
import type { FilterName } from '../model/filters.ts'
import type { OfferFacts } from '../model/offer-facts.ts'
import { countsOf, offerAddress, type Search } from '../model/search-address.ts'
import { BEST, SORTS, type Sort } from '../model/sorting.ts'
import styles from './List.module.css'
import { type Distinction, OfferCard } from './OfferCard.tsx'

/** 23 flights of 245: how many pass the filters, of how many. */
export function ListHead({ shown, of, ref }: { shown: number; of: string; ref?: Ref<HTMLHeadingElement> }) {
  return (
    <h2 ref={ref} tabIndex={-1}>
      <span role="status">
        {countNoun(shown, 'flight')} <span className={styles.of}>{of}</span>
      </span>
    </h2>
  )
}

export function SortSelect({ sort, onChange, visibleLabel }: { sort: Sort; onChange: (sort: Sort) => void; visibleLabel: boolean }) {
  const id = useId()
  return (
    <div className={visibleLabel ? styles.sort : undefined}>
      <label className={visibleLabel ? undefined : 'visually-hidden'} htmlFor={id}>
        Sort by
      </label>
      <span className={styles.select}>
        <select id={id} value={sort} onChange={(event) => onChange(event.target.value as Sort)}>
          {[...SORTS, ...(sort === BEST[0] ? [BEST] : [])].map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDown size={16} strokeWidth={2} aria-hidden="true" />
      </span>
    </div>
  )
}

export function Chips({ chips, onRemove }: { chips: readonly Chip[]; onRemove: (name: FilterName) => void }) {
  if (chips.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ name, text }) => (
        <li key={name}>
          <button type="button" className={styles.chip} onClick={() => onRemove(name)}>
            {text}
            <X strokeWidth={2.2} aria-hidden="true" />
            <span className="visually-hidden">remove</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

type OffersProps = {
  list: readonly OfferFacts[]
  search: Search
  counts: Facets | undefined
  /** Another list is on its way. */
  updating: boolean
  onClear: () => void
}

/** What stands first in one of the orders says so. */
function distinctionOf(id: string, counts: Facets | undefined): Distinction | null {
  if (id === counts?.cheapest?.id) return 'Lowest price'
  if (id === counts?.best?.id) return 'Best'
  return id === counts?.fastest?.id ? 'Fastest' : null
}

export function Offers({ list, search, counts, updating, onClear }: OffersProps) {
  const travellers = travellersText(countsOf(search))
  if (list.length === 0 && !updating) {
    return (
      <EmptyState
        title="No flights match your filters"
        actions={
          <Button variant="solid" onClick={onClear}>
            Clear Filters
          </Button>
        }
      >
        Take one of the filters away, or clear them all to see every flight again.
      </EmptyState>
    )
  }
  return (
    <ul className={styles.offers} aria-busy={updating}>
      {list.map((facts) => (
        <li key={facts.offer.id}>
          <OfferCard
            facts={facts}
            address={offerAddress(facts.offer.id, search)}
            travellers={travellers}
            distinction={distinctionOf(facts.offer.id, counts)}
          />
        </li>
      ))}
    </ul>
  )
}

type MoreProps = { loaded: number; total: number; busy: boolean; hasMore: boolean; onMore: () => void; onFirstPage: (() => void) | null }

export function More({ loaded, total, busy, hasMore, onMore, onFirstPage }: MoreProps) {
  return (
    <div className={styles.more}>
      <p>
        Showing {loaded} of {total}
      </p>
      <progress value={loaded} max={Math.max(total, 1)} aria-label="Flights shown" />
      <div className={styles.moreActions}>
        {onFirstPage && (
          <Button variant="quiet" onClick={onFirstPage}>
            Back to First Page
          </Button>
        )}
        {hasMore && (
          <Button variant="line" busy={busy} onClick={onMore}>
            {busy ? 'Loading flights' : 'Load More Flights'}
          </Button>
        )}
      </div>
    </div>
  )
}
