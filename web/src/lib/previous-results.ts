/** The offers that were shown before loading more, kept for the session and only for their own search. */
import type { SearchResults } from '@passerelle/contracts/http/search'
import { readJson, remove, writeJson } from './storage.ts'

const KEY = 'previousResults'

/** `readAt`: when the list was read from the server, milliseconds since 1970. */
export type PreviousResults = { searchKey: string; results: SearchResults; readAt: number }

function isSaved(value: unknown): value is PreviousResults {
  if (typeof value !== 'object' || value === null) return false
  const { searchKey, results, readAt } = value as Partial<PreviousResults>
  const isList = typeof results === 'object' && results !== null && Array.isArray(results.offers)
  return typeof searchKey === 'string' && typeof readAt === 'number' && isList
}

export function savePrevious(previous: PreviousResults): void {
  writeJson('session', KEY, previous)
}

/** null when nothing is kept or it belongs to another search. */
export function readPrevious(searchKey: string): PreviousResults | null {
  const saved = readJson('session', KEY, isSaved)
  return saved && saved.searchKey === searchKey ? saved : null
}

/** Changes what is kept, whichever search it belongs to. */
export function changePrevious(change: (results: SearchResults) => SearchResults): void {
  const saved = readJson('session', KEY, isSaved)
  if (saved) savePrevious({ ...saved, results: change(saved.results) })
}

export function forgetPrevious(): void {
  remove('session', KEY)
}
