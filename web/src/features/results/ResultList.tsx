import type { SearchResults } from '@passerelle/contracts/http/search'
import { SlidersHorizontal } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyOverlay } from '../../ui/lazy.tsx'
import { ActiveCount, FilterPanel } from './filters/FilterPanel.tsx'
import listStyles from './list/List.module.css'
import { Chips, ListHead, More, Offers, SortSelect } from './list/OfferList.tsx'
import { SortTabs } from './list/SortTabs.tsx'
import { chipsOf, facetsFrom } from './model/facets.ts'
import { activeFilters, type Filters, NO_FILTERS, withoutFilter } from './model/filters.ts'
import type { OfferFacts } from './model/offer-facts.ts'
import { FIRST_PAGE_SIZE, hasMore } from './model/pages.ts'
import type { Search } from './model/search-address.ts'
import type { View } from './model/view-address.ts'
import styles from './ResultsPage.module.css'

const FilterSheet = lazyOverlay(async () => (await import('./filters/FilterSheet.tsx')).FilterSheet)

/** Where the link past the filters leads. */
const LIST = 'flights'

type Props = {
  search: Search
  results: SearchResults
  list: readonly OfferFacts[]
  /** As the controls show it; the list follows a moment later. */
  view: View
  onView: (change: Partial<View>) => void
  updating: boolean
  narrow: boolean
  loadingMore: boolean
  onMore: () => void
  onFirstPage: () => void
}

/** What the view leaves of the list, in its order, with the counts over the whole of it. */
export function ResultList({ search, results, list, view, onView, updating, narrow, loadingMore, onMore, onFirstPage }: Props) {
  const [filtersOpen, setFiltersOpen] = useState(true)
  const [sheet, setSheet] = useState(false)
  const closeSheet = useCallback(() => setSheet(false), [])
  const head = useRef<HTMLHeadingElement>(null)
  const section = useRef<HTMLElement>(null)
  const counts = results.facets
  const facets = useMemo(() => facetsFrom(counts), [counts])
  const active = activeFilters(view.filters, facets.scale.bounds).length

  const change = (changed: Partial<Filters>) => onView({ filters: { ...view.filters, ...changed } })
  const clear = () => onView({ filters: NO_FILTERS })
  const changeSort = (chosen: typeof view.sort) => onView({ sort: chosen })
  const loaded = results.offers.length

  // After a press on Load More Flights the focus goes to the first offer that was not there before.
  const known = useRef<ReadonlySet<string> | null>(null)
  function loadMore(): void {
    known.current = new Set(list.map(({ offer }) => offer.id))
    onMore()
  }
  useEffect(() => {
    const before = known.current
    if (!before || loadingMore) return
    const added = list.findIndex(({ offer }) => !before.has(offer.id))
    if (added < 0) return
    known.current = null
    section.current?.querySelectorAll<HTMLElement>('article a')[added]?.focus()
  }, [list, loadingMore])

  function toFirstPage(): void {
    onFirstPage()
    head.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0, behavior: 'instant' })
  }

  return (
    <div className={`wrap ${styles.results}`}>
      {!narrow && (
        <FilterPanel
          filters={view.filters}
          facets={facets}
          active={active}
          open={filtersOpen}
          onOpen={setFiltersOpen}
          onChange={change}
          onClear={clear}
          past={LIST}
        />
      )}
      <section ref={section} id={LIST} tabIndex={-1} aria-label="Results">
        {narrow && (
          <div className={listStyles.bar}>
            <Button variant="line" aria-haspopup="dialog" onClick={() => setSheet(true)}>
              <SlidersHorizontal size={16} strokeWidth={2} aria-hidden="true" />
              Filters <ActiveCount count={active} />
            </Button>
            <SortSelect sort={view.sort} onChange={changeSort} visibleLabel={false} />
          </div>
        )}
        <div className={listStyles.head}>
          <ListHead ref={head} shown={results.total_count} of={active > 0 ? `of ${facets.total}` : ''} />
          {!narrow && <SortSelect sort={view.sort} onChange={changeSort} visibleLabel />}
        </div>
        <Chips chips={chipsOf(view.filters, facets)} onRemove={(name) => onView({ filters: withoutFilter(view.filters, name) })} />
        {counts && <SortTabs counts={counts} sort={view.sort} onChange={changeSort} />}
        <Offers list={list} search={search} counts={counts} updating={updating} onClear={clear} />
        <More
          loaded={loaded}
          total={results.total_count}
          busy={loadingMore}
          hasMore={hasMore(results)}
          onMore={loadMore}
          onFirstPage={loaded > FIRST_PAGE_SIZE ? toFirstPage : null}
        />
      </section>
      <FilterSheet
        open={sheet && narrow}
        onClose={closeSheet}
        filters={view.filters}
        facets={facets}
        active={active}
        shown={results.total_count}
        onChange={change}
        onClear={clear}
      />
    </div>
  )
}
