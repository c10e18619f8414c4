import { Phone } from 'lucide-react'
import { type ComponentType, type RefObject, useMemo, useRef } from 'react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { paths, telephone } from '../../lib/paths.ts'
import { readPrevious } from '../../lib/previous-results.ts'
import { useSearchParams } from '../../lib/router.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { FilterSkeleton } from './filters/FilterPanel.tsx'
import { DayStrip } from './list/DayStrip.tsx'
import { LoadingList } from './list/LoadingList.tsx'
import { factsOf, type OfferFacts } from './model/offer-facts.ts'
import { listKey } from './model/results-query.ts'
import { keyOf, readSearch, type Search } from './model/search-address.ts'
import { wishesOf } from './model/view-address.ts'
import { ResultList } from './ResultList.tsx'
import styles from './ResultsPage.module.css'
import { type SearchFormProps, SummaryBar } from './SummaryBar.tsx'
import { useResults } from './use-results.ts'
import { useView } from './use-view.ts'

const NARROW = '(max-width: 1100px)'

type Props = {
  /** Opens in the place of the summary. */
  SearchForm?: ComponentType<SearchFormProps> | undefined
}

/** The offers of the search in the address. */
export function ResultsPage({ SearchForm }: Props) {
  const [query] = useSearchParams()
  const search = useMemo(() => readSearch(query), [query])
  /** The form in the page was sent: the list that comes takes the focus over from it. */
  const changed = useRef(false)
  /** The same for a day that was pressed. */
  const pressed = useRef(false)
  if (!search) return <Failure level={1} message="Missing required flight search parameters" onRetry={() => window.location.reload()} />
  // Another search is another list: nothing of the one before is carried over.
  return <SearchResults key={keyOf(search)} search={search} changed={changed} pressed={pressed} SearchForm={SearchForm} />
}

type ResultsProps = Props & { search: Search; changed: RefObject<boolean>; pressed: RefObject<boolean> }

function SearchResults({ search, changed, pressed, SearchForm }: ResultsProps) {
  const narrow = useMedia(NARROW)
  const { view, asked, setView } = useView()
  const { results, error, loading, loadingMore, updating, refresh, more, backToFirstPage } = useResults(search, asked)
  const searchKey = listKey(search, wishesOf(asked))
  const shownBefore = useMemo(() => results ?? readPrevious(searchKey)?.results, [results, searchKey])
  const list = useMemo(() => (shownBefore?.offers ?? []).map(factsOf).filter((facts): facts is OfferFacts => facts !== null), [shownBefore])

  return (
    <>
      <SummaryBar search={search} busy={loading} onRefresh={refresh} changed={changed} SearchForm={SearchForm} />
      {(loading || !error) && <DayStrip search={search} view={view} ready={results !== undefined} pressed={pressed} />}
      {loading ? (
        <div className={`wrap ${styles.results}`}>
          {!narrow && <FilterSkeleton />}
          <LoadingList search={search} earlier={list} />
        </div>
      ) : error ? (
        <Failure level={2} message={error} onRetry={refresh} />
      ) : !results || (list.length === 0 && !results.facets?.total) ? (
        <NothingFound />
      ) : (
        <ResultList
          search={search}
          results={results}
          list={list}
          view={view}
          onView={setView}
          updating={updating}
          narrow={narrow}
          loadingMore={loadingMore}
          onMore={more}
          onFirstPage={backToFirstPage}
        />
      )}
    </>
  )
}

function NothingFound() {
  const { contact } = useBrand()
  return (
    <div className="wrap">
      <EmptyState
        title="No Flights Found"
        role="status"
        actions={
          <>
            <ButtonLink variant="solid" to={paths.home}>
              New Search
            </ButtonLink>
            <ButtonAnchor variant="line" href={telephone(contact.phone)}>
              <Phone size={16} strokeWidth={2} aria-hidden="true" />
              Ask an expert
            </ButtonAnchor>
          </>
        }
      >
        No airline we work with sells this trip on these dates. Other dates or a larger airport nearby usually help.
      </EmptyState>
    </div>
  )
}

function Failure({ level, message, onRetry }: { level: 1 | 2; message: string; onRetry: () => void }) {
  return (
    <div className="wrap">
      <EmptyState
        level={level}
        title="Error Loading Flights"
        role="alert"
        actions={
          <>
            <Button variant="solid" onClick={onRetry}>
              Try Again
            </Button>
            <ButtonLink variant="line" to={paths.home}>
              New Search
            </ButtonLink>
          </>
        }
      >
        {message}
      </EmptyState>
    </div>
  )
}
