import { lazy, Suspense, useMemo } from 'react'
import { useLocation } from 'react-router-dom'
import { usePageTitle } from '../../app/document-title.ts'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { today } from '../../lib/format/dates.ts'
import { type LastSearch, readLastSearch } from '../../lib/last-search.ts'
import styles from './HomePage.module.css'
import { Hero } from './home/Hero.tsx'
import { Experts, PriceProof, Reasons, TrustBadges } from './home/Sections.tsx'

const SearchForm = lazy(async () => ({ default: (await import('./form/SearchForm.tsx')).SearchForm }))

/** Modify Search brings the search along in the history's state. */
function searchToChange(state: unknown): LastSearch | null {
  return (state as { search?: LastSearch } | null)?.search ?? null
}

export function HomePage() {
  const { name } = useBrand()
  const { state } = useLocation()
  usePageTitle(
    `${name}: flights at the price you see`,
    'Compare airline fares, pay the total you see and call a person at any hour. Best-price guarantee with price match.',
  )
  const lastSearch = useMemo(() => {
    const search = readLastSearch()
    return search && search.departureDate >= today() ? search : null
  }, [])

  return (
    <>
      <Hero />
      <div className={`wrap ${styles.search}`}>
        <Suspense fallback={<div className={styles.waiting} data-last-search={lastSearch !== null} />}>
          <SearchForm initial={searchToChange(state)} lastSearch={lastSearch} />
        </Suspense>
        <TrustBadges />
      </div>
      <PriceProof />
      <Reasons />
      <Experts />
    </>
  )
}
