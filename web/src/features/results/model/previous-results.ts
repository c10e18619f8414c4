/** The offers that were shown before loading more, kept for the session and only for their own search. */
import type { SearchResults } from '@passerelle/contracts/http/search'
import { readJson, remove, writeJson } from '../../../lib/storage.ts'

const KEY = 'previousResults'

type Saved = { searchKey: string; results: SearchResults }

function isSaved(value: unknown): value is Saved {
  if (typeof value !== 'object' || value === null) return false
  const { searchKey, results } = value as Partial<Saved>
  return typeof searchKey === 'string' && typeof results === 'object' && results !== null && Array.isArray(results.offers)
}

export function savePrevious(searchKey: string, results: SearchResults): void {
  writeJson('session', KEY, { searchKey, results })
}

/** null when nothing is kept or it belongs to another search. */
export function readPrevious(searchKey: string): SearchResults | null {
  const saved = readJson('session', KEY, isSaved)
  return saved && saved.searchKey === searchKey ? saved.results : null
}

export function forgetPrevious(): void {
  remove('session', KEY)
}
