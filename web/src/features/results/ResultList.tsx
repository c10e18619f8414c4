import type { SearchResults } from '@passerelle/contracts/http/search'
import { SlidersHorizontal } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyOverlay } from '../../ui/lazy.tsx'
import { ActiveCount, FilterPanel } from './filters/FilterPanel.tsx'
import listStyles from './list/List.module.css'
import { Chips, ListHead, More, Offers, SortSelect } from './list/OfferList.tsx'
import { chipsOf, facetsOf, scaleOf } from './model/facets.ts'
import { activeFilters, type Filters, filterOffers, NO_FILTERS, withoutFilter } from './model/filters.ts'
import type { OfferFacts } from './model/offer-facts.ts'
import { FIRST_PAGE_SIZE, hasMore } from './model/pages.ts'
import type { Search } from './model/search-address.ts'
import { sortOffers } from './model/sorting.ts'
import styles from './ResultsPage.module.css'
import { useView } from './use-view.ts'

const FilterSheet = lazyOverlay(async () => (await import('./filters/FilterSheet.tsx')).FilterSheet)

/** Where the link past the filters leads. */
const LIST = 'flights'

type Props = {
  search: Search
  results: SearchResults
  list: readonly OfferFacts[]
  narrow: boolean
  loadingMore: boolean
  onMore: () => void
  onFirstPage: () => void
}

/** The loaded offers with their filters and their order. */
export function ResultList({ search, results, list, narrow, loadingMore, onMore, onFirstPage }: Props) {
  const [view, setView] = useView()
  const [filtersOpen, setFiltersOpen] = useState(true)
  const [sheet, setSheet] = useState(false)
  const closeSheet = useCallback(() => setSheet(false), [])
  const head = useRef<HTMLHeadingElement>(null)
  const section = useRef<HTMLElement>(null)
  // The controls answer at once; a long list follows when it is ready.
  const filters = useDeferredValue(view.filters)
  const sort = useDeferredValue(view.sort)

  const scale = useMemo(() => scaleOf(list), [list])
  const facets = useMemo(() => facetsOf(list, filters, scale), [list, filters, scale])
  const shown = useMemo(() => sortOffers(filterOffers(list, filters, scale), sort, scale.currency), [list, filters, sort, scale])
  const lowestId = useMemo(() => sortOffers(list, 'price-asc', scale.currency)[0]?.offer.id ?? null, [list, scale])
  const active = activeFilters(view.filters, scale.bounds).length

  const change = (changed: Partial<Filters>) => setView({ filters: { ...view.filters, ...changed } })
  const clear = () => setView({ filters: NO_FILTERS })
  const changeSort = (chosen: typeof view.sort) => setView({ sort: chosen })
  const loaded = results.offers.length

  // After a press on Load More Flights the focus goes to the first offer that was not there before.
  const known = useRef<ReadonlySet<string> | null>(null)
  function loadMore(): void {
    known.current = new Set(shown.map(({ offer }) => offer.id))
    onMore()
  }
  useEffect(() => {
    const before = known.current
    if (!before || loadingMore) return
    const added = shown.findIndex(({ offer }) => !before.has(offer.id))
    if (added < 0) return
    known.current = null
    section.current?.querySelectorAll<HTMLElement>('article a')[added]?.focus()
  }, [shown, loadingMore])

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
          <ListHead ref={head} shown={shown.length} of={active > 0 ? `of ${loaded} loaded` : `of ${results.total_count}`} />
          {!narrow && <SortSelect sort={view.sort} onChange={changeSort} visibleLabel />}
        </div>
        <Chips chips={chipsOf(filters, facets)} onRemove={(name) => setView({ filters: withoutFilter(view.filters, name) })} />
        <Offers list={shown} search={search} lowestId={lowestId} onClear={clear} />
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
        shown={shown.length}
        onChange={change}
        onClear={clear}
      />
    </div>
  )
}
