import { Search } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-client.ts'
import { paths, registerAddress, signInAddress } from '../../lib/paths.ts'
import { useSearchParams } from '../../lib/router.ts'
import { useUser } from '../../lib/session.ts'
import { type Trip, type TripTab, tabOf } from '../../lib/trip.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOverlay } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ConfirmEmail } from './ConfirmEmail.tsx'
import { TripCard } from './TripCard.tsx'
import styles from './Trips.module.css'
import { useTrips } from './use-trips.ts'

const TripDetails = lazyOverlay(async () => (await import('./TripDetails.tsx')).TripDetails)
const CancelTrip = lazyOverlay(async () => (await import('./CancelTrip.tsx')).CancelTrip)

const TABS: { value: TripTab; label: string; empty: string; text: string; action: string }[] = [
  {
    value: 'upcoming',
    label: 'Upcoming',
    empty: 'No upcoming trips',
    text: 'When you book a flight, you find it here.',
    action: 'Search Flights',
  },
  { value: 'past', label: 'Past', empty: 'No past trips', text: 'Trips you have flown are kept here.', action: 'Book a Flight' },
  {
    value: 'cancelled',
    label: 'Cancelled',
    empty: 'No cancelled trips',
    text: 'Bookings you cancel are kept here, with their refunds.',
    action: 'Book a Flight',
  },
]

type Open = { what: 'details' | 'cancel'; id: string } | null

export function TripsPage() {
  const user = useUser()
  const trips = useTrips()
  const [open, setOpen] = useState<Open>(null)
  const close = useCallback(() => setOpen(null), [])
  useAskedTrip(trips.data, ({ id }) => setOpen({ what: 'details', id }))

  // What was read for somebody is not shown to whoever comes after the end of the session.
  if (trips.signedOut || (user === null && !trips.data)) return <SignInPrompt />
  return (
    <div className={`wrap ${styles.page}`}>
      <div className={styles.top}>
        <h1>My Trips</h1>
        <ButtonLink to={paths.home} variant="soft">
          <Search size={16} aria-hidden="true" />
          Book a Flight
        </ButtonLink>
      </div>
      <ConfirmEmail className={styles.confirm} />
      {trips.isError ? (
        <EmptyState
          role="alert"
          title="Your trips could not be loaded"
          actions={
            <Button onClick={() => trips.refetch()} busy={trips.isFetching}>
              Try Again
            </Button>
          }
        >
          {messageOf(trips.error, 'Unable to retrieve your bookings. Please try again.')}
        </EmptyState>
      ) : trips.data ? (
        <TripTabs trips={trips.data} onOpen={setOpen} />
      ) : (
        <Loading />
      )}
      {open?.what === 'details' && (
        <TripDetails open id={open.id} onClose={close} onCancel={() => setOpen({ what: 'cancel', id: open.id })} />
      )}
      {open?.what === 'cancel' && <CancelTrip open id={open.id} onClose={close} />}
    </div>
  )
}

/** `?booking=` opens that trip, once, when it is one of this account. */
function useAskedTrip(trips: readonly Trip[] | undefined, onFound: (trip: Trip) => void): void {
  const [query] = useSearchParams()
  const asked = query.get('booking')
  const opened = useRef<string | null>(null)
  useEffect(() => {
    const trip = trips?.find(({ id }) => id === asked)
    if (!trip || opened.current === asked) return
    opened.current = asked
    onFound(trip)
  })
}

function TripTabs({ trips, onOpen }: { trips: Trip[]; onOpen: (open: Open) => void }) {
  return (
    <Tabs
      label="Trips"
      listClassName={styles.tabs}
      panelClassName={styles.panel}
      tabs={TABS.map((tab) => {
        const own = trips.filter((trip) => tabOf(trip.status) === tab.value)
        return {
          value: tab.value,
          label: (
            <>
              {tab.label} <span className={`${styles.count} numerals`}>{own.length}</span>
            </>
          ),
          content:
            own.length === 0 ? (
              <EmptyState title={tab.empty} actions={<ButtonLink to={paths.home}>{tab.action}</ButtonLink>}>
                {tab.text}
              </EmptyState>
            ) : (
              <ul className={styles.list}>
                {own.map((trip) => (
                  <li key={trip.id}>
                    <TripCard
                      trip={trip}
                      onDetails={() => onOpen({ what: 'details', id: trip.id })}
                      onCancel={() => onOpen({ what: 'cancel', id: trip.id })}
                    />
                  </li>
                ))}
              </ul>
            ),
        }
      })}
    />
  )
}

function SignInPrompt() {
  return (
    <div className={`wrap ${styles.page}`}>
      <EmptyState
        level={1}
        title="Please sign in"
        actions={
          <>
            <ButtonLink to={signInAddress(paths.trips)}>Sign In</ButtonLink>
            <ButtonLink to={registerAddress(paths.trips)} variant="line">
              Create Account
            </ButtonLink>
          </>
        }
      >
        Sign in to see your trips, their details and your refunds.
      </EmptyState>
    </div>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading your trips" className={styles.list}>
      {[1, 2].map((number) => (
        <Skeleton key={number} width="100%" height={132} radius={12} />
      ))}
    </div>
  )
}
