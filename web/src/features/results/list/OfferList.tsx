import { ChevronDown, X } from 'lucide-react'
import { type Ref, useId } from 'react'
import { countNoun, travellersText } from '../../../lib/format/people.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { Chip } from '../model/facets.ts'
import type { FilterName } from '../model/filters.ts'
import type { OfferFacts } from '../model/offer-facts.ts'
import { countsOf, offerAddress, type Search } from '../model/search-address.ts'
import { SORTS, type Sort } from '../model/sorting.ts'
import styles from './List.module.css'
import { OfferCard } from './OfferCard.tsx'

/** 23 flights of 29: how many pass the filters, of how many. */
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
          {SORTS.map(([value, label]) => (
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

type OffersProps = { list: readonly OfferFacts[]; search: Search; lowestId: string | null; onClear: () => void }

export function Offers({ list, search, lowestId, onClear }: OffersProps) {
  const travellers = travellersText(countsOf(search))
  if (list.length === 0) {
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
    <ul className={styles.offers}>
      {list.map((facts) => (
        <li key={facts.offer.id}>
          <OfferCard
            facts={facts}
            address={offerAddress(facts.offer.id, search)}
            travellers={travellers}
            lowest={facts.offer.id === lowestId}
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
