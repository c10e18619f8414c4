import type { FlightOffer, SeatChoice } from '@passerelle/contracts/http/search'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { cityOf, flightNumber } from '../../../lib/flight.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import styles from '../../booking/Booking.module.css'
import type { PassengerValues } from '../../booking/model/passenger-form.ts'
import {
  firstIncomplete,
  type SeatedFlight,
  seatedCount,
  seatedFlights,
  seatHolders,
  seatOf,
  stillOffered,
} from '../../booking/model/seats.ts'
import { SeatedFlightPanel } from './SeatedFlightPanel.tsx'
import seatStyles from './Seats.module.css'

type Props = {
  offer: FlightOffer
  passengers: readonly PassengerValues[]
  seats: readonly SeatChoice[]
  onSeats: (seats: readonly SeatChoice[]) => void
  /** Whether the visitor was told that there are no maps; it is said once. */
  saidNoMaps: RefObject<boolean>
  onBack: () => void
  onDone: () => void
}

export function SeatsStep({ offer, passengers, seats, onSeats, saidNoMaps, onBack, onDone }: Props) {
  const maps = useQuery({
    queryKey: [`/api/flights/seatmaps/${encodeURIComponent(offer.id)}`],
    queryFn: ({ signal }) => api.getSeatMaps({ params: { id: offer.id } }, { signal }),
    staleTime: 60_000,
  })
  const flights = useMemo(() => seatedFlights(offer, maps.data?.data ?? []), [offer, maps.data])
  const holders = useMemo(() => seatHolders(passengers), [passengers])
  const [tab, setTab] = useState<string | null>(null)
  const [active, setActive] = useState<Record<string, string>>({})
  const none = !maps.isPending && (flights.length === 0 || holders.length === 0)

  useEffect(() => {
    if (!none || saidNoMaps.current) return
    saidNoMaps.current = true
    toast({ title: 'Seat Selection Unavailable', description: 'You can continue to payment without choosing seats.', tone: 'warning' })
  }, [none, saidNoMaps])

  // A map that was read again may no longer offer what was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each reading
  useEffect(() => {
    if (flights.length === 0) return
    const left = stillOffered(seats, flights)
    if (left.length < seats.length) onSeats(left)
  }, [flights])

  const shown = flights.find(({ segment }) => segment.id === tab) ?? flights[0]
  const activeOn = ({ segment }: SeatedFlight) =>
    active[segment.id] ?? holders.find((holder) => !seatOf(seats, holder.id, segment.id))?.id ?? holders[0]?.id ?? ''

  function next(): void {
    const open = none ? null : firstIncomplete(flights, holders, seats)
    if (!open) {
      onDone()
      return
    }
    toast({ title: 'Seat Selection Required', description: 'Please select seats for all passengers', tone: 'negative' })
    setTab(open.segment.id)
    const unseated = holders.find((holder) => !seatOf(seats, holder.id, open.segment.id))
    if (unseated) setActive({ ...active, [open.segment.id]: unseated.id })
  }

  function skip(): void {
    onSeats([])
    onDone()
  }

  return (
    <>
      {maps.isPending ? (
        <section className={`card ${seatStyles.waiting}`}>
          <p className="visually-hidden" role="status">
            Loading seat maps
          </p>
          <Skeleton width="40%" height={24} />
          <Skeleton width="100%" height={360} radius={8} />
        </section>
      ) : none ? (
        <Alert tone="info" title="No seats can be chosen here.">
          The airline gives seats at check-in. You can continue to payment.
        </Alert>
      ) : (
        <section className={`card ${seatStyles.box}`} aria-label="Seats">
          <Tabs
            label="Flights"
            value={shown?.segment.id ?? ''}
            onChange={setTab}
            listClassName={seatStyles.tabs}
            tabs={flights.map((flight) => ({
              value: flight.segment.id,
              label: (
                <>
                  <span>
                    {cityOf(flight.segment.origin)} – {cityOf(flight.segment.destination)}
                  </span>
                  <small>
                    {flightNumber(flight.segment)}, {seatedCount(holders, seats, flight.segment.id)} of {holders.length} seated
                  </small>
                </>
              ),
              content: (
                <SeatedFlightPanel
                  flight={flight}
                  passengers={passengers}
                  holders={holders}
                  seats={seats}
                  active={activeOn(flight)}
                  onActive={(id) => setActive({ ...active, [flight.segment.id]: id })}
                  onSeats={onSeats}
                />
              ),
            }))}
          />
        </section>
      )}
      <div className={styles.actions}>
        <Button variant="line" onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back
        </Button>
        <div className={styles.actionsEnd}>
          {!none && (
            <Button variant="quiet" onClick={skip}>
              Skip Seat Selection
            </Button>
          )}
          <Button variant="solid" size="lg" disabled={maps.isPending} onClick={next}>
            Continue to Payment
          </Button>
        </div>
      </div>
    </>
  )
}
