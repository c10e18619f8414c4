import { useMemo } from 'react'
import { today } from '../../lib/format/dates.ts'
import { type LastSearch, readLastSearch } from '../../lib/last-search.ts'
import { useLocation } from '../../lib/router.ts'
import { HeroSearch } from '../../ui/HeroBanner.tsx'
import { lazyPart } from '../../ui/lazy.tsx'
import styles from './HomePage.module.css'
import { Hero } from './home/Hero.tsx'
import { Experts, HomeReasons, PriceProof, TrustBadges } from './home/Sections.tsx'

const SearchForm = lazyPart(async () => (await import('./form/SearchForm.tsx')).SearchForm)

/** Modify Search brings the search along in the history's state. */
function searchToChange(state: unknown): LastSearch | null {
  return (state as { search?: LastSearch } | null)?.search ?? null
}

export function HomePage() {
  const { state } = useLocation()
  const lastSearch = useMemo(() => {
    const search = readLastSearch()
    return search && search.departureDate >= today() ? search : null
  }, [])

  return (
    <>
      <Hero />
      <HeroSearch>
        <SearchForm
          initial={searchToChange(state)}
          lastSearch={lastSearch}
          waiting={<div className={styles.waiting} data-last-search={lastSearch !== null} />}
        />
        <TrustBadges />
      </HeroSearch>
      <PriceProof />
      <HomeReasons />
      <Experts />
    </>
  )
}
