/** Three services keep a record: of settings, brands and messages, of bookings, and of who may change them. They are shown as one list. */
import type { AccessRecord } from '@passerelle/contracts/http/account'
import type { AuditRecord } from '@passerelle/contracts/http/admin'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import { keys } from './keys.ts'

export type AuditEntry = AuditRecord | AccessRecord
type Page = { entries: AuditEntry[]; next: string | null }

const PAGE = 10

/** How far back a record has been read; the empty text: to its beginning. */
function readUntil(pages: readonly Page[]): string {
  const last = pages.at(-1)
  return last?.next ? (last.entries.at(-1)?.at ?? '') : ''
}

/** Newest first, and only as far back as every record has been read: nothing will appear between two entries later. */
export function mergeRecords(records: readonly (readonly Page[])[]): AuditEntry[] {
  const until = records.map(readUntil).sort().at(-1) ?? ''
  return records
    .flat()
    .flatMap(({ entries }) => entries)
    .filter(({ at }) => at >= until)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
}

/** Places of the records to read on in, so that the list gets longer. */
export function toReadOn(records: readonly (readonly Page[])[]): number[] {
  const ends = records.map(readUntil)
  const latest = [...ends].sort().at(-1) ?? ''
  return ends.flatMap((end, place) => (end !== '' && end === latest ? [place] : []))
}

type Read = (query: { limit: number; before?: string }, signal: AbortSignal) => Promise<Page>

function useRecord(name: string, read: Read, enabled = true) {
  return useInfiniteQuery<Page, Error, InfiniteData<Page>, string[], string | null>({
    queryKey: [keys.audit, name],
    queryFn: ({ pageParam, signal }) => read({ limit: PAGE, ...(pageParam && { before: pageParam }) }, signal),
    initialPageParam: null,
    enabled,
    getNextPageParam: ({ next }) => next,
  })
}

/** `entries` is undefined until all records are there. `ofAll`: also of who administers, which staff of one brand does not see. */
export function useAudit(ofAll: boolean) {
  const records = [
    useRecord('changes', (query, signal) => api.listAudit({ query }, { signal })),
    useRecord('bookings', (query, signal) => api.listBookingAudit({ query }, { signal })),
    useRecord('access', (query, signal) => api.listAccess({ query }, { signal }), ofAll),
  ].slice(0, ofAll ? 3 : 2)
  const pages = records.flatMap(({ data }) => (data ? [data.pages] : []))
  const further = toReadOn(pages)
  return {
    entries: pages.length === records.length ? mergeRecords(pages) : undefined,
    failed: records.some(({ isError }) => isError),
    hasMore: further.length > 0,
    busy: records.some(({ isFetchingNextPage }) => isFetchingNextPage),
    retry() {
      for (const { isError, refetch } of records) if (isError) void refetch()
    },
    readOn() {
      for (const place of further) void records[place]?.fetchNextPage()
    },
  }
}
