import { ResultsPage } from '../features/results/ResultsPage.tsx'
import { lazyPart } from '../ui/lazy.tsx'

const SearchForm = lazyPart(async () => (await import('../features/search/form/SearchForm.tsx')).SearchForm)

/** The results with the form of the search feature, for a search that is changed in its place. */
export function ResultsScreen() {
  return <ResultsPage SearchForm={SearchForm} />
}
