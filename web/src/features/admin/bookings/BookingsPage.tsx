import type { OfficeState } from '@passerelle/contracts/http/back-office'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { systemModeQuery } from '../../../lib/queries.ts'
import { useNavigate, useSearchParams } from '../../../lib/router.ts'
import { Button, ButtonAnchor } from '../../../ui/Button.tsx'
import { AdminLayout } from '../AdminLayout.tsx'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { useBrands } from '../model/use-brands.ts'
import { Panel } from '../Panel.tsx'
import { Views } from '../Views.tsx'
import { AttentionList } from './AttentionList.tsx'
import styles from './Bookings.module.css'
import { BookingTable } from './BookingTable.tsx'
import { FindBookings, type Found } from './FindBookings.tsx'
import { attentionQuery, tableAddress } from './queries.ts'
import { STATES } from './words.ts'

const PAGE = 50
const DAY_MS = 86_400_000
const BOOKED: Partial<Record<string, number>> = { day: DAY_MS, week: 7 * DAY_MS }
const VIEWS = [null, ...(Object.keys(STATES) as OfficeState[])] as const

/** Bookings of this mode: those that need somebody, and all by state, reference, address, brand and time. */
export function BookingsPage() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [openedAt] = useState(Date.now)
  const found: Found = { q: query.get('q'), brand: query.get('brand'), booked: query.get('booked') }
  const named = query.get('state')
  const state = VIEWS.find((one) => one === named) ?? null
  const { data: brands = [], nameOf } = useBrands()
  const { data: mode } = useQuery(systemModeQuery)
  const { data: waiting } = useQuery({ ...attentionQuery, refetchOnMount: 'always' })
  const period = BOOKED[found.booked ?? '']
  const asked = {
    ...(state && { state }),
    ...(found.q && { q: found.q }),
    ...(found.brand && { brandKey: found.brand }),
    ...(period && { since: new Date(openedAt - period).toISOString() }),
  }
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [keys.bookings, 'list', asked],
    queryFn: ({ pageParam, signal }) =>
      api.listOfficeBookings({ query: { ...asked, limit: PAGE, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  })
  useAdminAccess(error)
  const counts = data?.pages.at(-1)?.counts
  const countOf = (of: OfficeState | null) => counts && (of ? counts[of] : Object.values(counts).reduce((sum, count) => sum + count, 0))
  const rows = data?.pages.flatMap(({ bookings }) => bookings) ?? []
  const address = (values: Found & { state: string | null }) => withQuery(paths.adminBookings, values)
  const total = countOf(state) ?? 0

  return (
    <AdminLayout
      title="Bookings"
      words={mode && `${mode.isLiveMode ? 'Live' : 'Test'} mode: only bookings made in ${mode.mode} mode are listed.`}
    >
      {waiting && waiting.bookings.length > 0 && <AttentionList page={waiting} brandName={nameOf} />}
      <FindBookings found={found} brands={brands} onFind={(next) => navigate(address({ ...next, state }), { preventScrollReset: true })} />
      <Views
        label="Bookings by state"
        views={VIEWS.map((of) => ({
          to: address({ ...found, state: of }),
          label: of ? STATES[of] : 'All',
          current: of === state,
          count: countOf(of),
        }))}
      />
      {error && <LoadFailed words="The bookings could not be loaded." retry={() => void refetch()} />}
      {!data && !error && <LoadingLines words="Loading bookings" />}
      {data && (
        <Panel title={state ? STATES[state] : 'All bookings'} aside={state === 'attention' ? 'Longest waiting first' : 'Newest first'}>
          {rows.length === 0 ? (
            <p className={styles.none}>No bookings here.</p>
          ) : (
            <BookingTable caption={`Bookings: ${state ? STATES[state] : 'all'}`} rows={rows} brandName={nameOf} />
          )}
        </Panel>
      )}
      {data && total > 0 && (
        <div className={styles.more}>
          <p>
            {rows.length} of {countNoun(total, 'booking')}
          </p>
          <progress max={total} value={rows.length} aria-label="Bookings shown" />
          <ButtonAnchor variant="quiet" href={tableAddress(asked)} download>
            <Download size={16} strokeWidth={2} aria-hidden="true" />
            Download this list (CSV)
          </ButtonAnchor>
          {hasNextPage && (
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show {Math.min(PAGE, total - rows.length)} more
            </Button>
          )}
        </div>
      )}
    </AdminLayout>
  )
}
