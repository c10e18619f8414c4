import type { FlightOffer, SeatChoice, SeatMap } from '@passerelle/contracts/http/search'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { cityOf, flightNumber } from '../../../lib/flight.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { usePhone } from '../../../ui/use-media.ts'
import layout from '../Booking.module.css'
import { type LostSeats, lostSeatsText } from '../model/lost-seats.ts'
import type { PassengerValues } from '../model/passenger-form.ts'
import { firstIncomplete, nextUnseated, seatedCount, seatedFlights, seatHolders } from '../model/seats.ts'
import { SeatBar } from './SeatBar.tsx'
import { SeatFlight } from './SeatFlight.tsx'
import styles from './Seats.module.css'
import { seatMapsKey } from './seat-maps-key.ts'

type Props = {
  offer: FlightOffer
  passengers: PassengerValues[]
  choices: readonly SeatChoice[]
  /** Why the visitor is here again: a seat was taken meanwhile. */
  notice: LostSeats | null
  /** Told once a checkout, however often the step is shown. */
  told: RefObject<boolean>
  onChange: (choices: readonly SeatChoice[]) => void
  onBack: () => void
  onContinue: () => void
  onSkip: () => void
}

export function SeatStep({ offer, passengers, choices, notice, told, onChange, onBack, onContinue, onSkip }: Props) {
  const { data, isPending, isFetching } = useQuery<{ data?: SeatMap[] }>({ queryKey: seatMapsKey(offer.id) })
  const flights = seatedFlights(offer, data?.data ?? [])
  const holders = seatHolders(passengers)
  const phone = usePhone()
  const [shown, setShown] = useState<string | null>(null)
  const [picked, setPicked] = useState<Readonly<Record<string, string>>>({})
  const loading = isPending || (isFetching && flights.length === 0)
  const flight = flights.find(({ segment }) => segment.id === shown) ?? flights[0]
  const unavailable = !loading && (flights.length === 0 || holders.length === 0)

  useEffect(() => {
    if (!unavailable || told.current) return
    told.current = true
    toast({ title: 'Seat Selection Unavailable', description: 'You can continue to payment without choosing seats.', tone: 'warning' })
  }, [unavailable, told])

  /** Who is being seated on a flight: whoever was picked, else the first without a seat. */
  function activeOn(segmentId: string): string {
    return picked[segmentId] ?? nextUnseated(holders, choices, segmentId, '') ?? holders[0]?.id ?? ''
  }

  function proceed(): void {
    const missing = firstIncomplete(flights, holders, choices)
    if (!missing) {
      onContinue()
      return
    }
    setShown(missing.segment.id)
    toast({ title: 'Seat Selection Required', description: 'Please select seats for all passengers', tone: 'negative' })
  }

  return (
    <div>
      {notice && (
        <div className={styles.notice}>
          <Alert tone="negative" title={lostSeatsText(notice, passengers, offer)}>
            Your card was not charged. Choose another seat, or skip the seat selection.
          </Alert>
        </div>
      )}
      {loading ? (
        <SeatsLoading />
      ) : unavailable ? (
        <section className={`card ${layout.pad} ${styles.none}`} aria-label="Seats">
          <h2>Seat selection is not available for these flights</h2>
          <p className="muted">
            The airline has no seat map for us. It assigns your seats, or you choose them at check-in. Continue to payment without seats.
          </p>
        </section>
      ) : (
        <section className={`card ${styles.seats}`} aria-label="Seats">
          <Tabs
            label="Flights"
            value={flight?.segment.id ?? ''}
            onChange={setShown}
            listClassName={styles.flights}
            tabs={flights.map((flight) => ({
              value: flight.segment.id,
              label: (
                <span className={styles.flight}>
                  {cityOf(flight.segment.origin)} – {cityOf(flight.segment.destination)}
                  <small>
                    {flightNumber(flight.segment)}, {seatedCount(holders, choices, flight.segment.id)} of {holders.length} seated
                  </small>
                </span>
              ),
              content: (
                <SeatFlight
                  flight={flight}
                  holders={holders}
                  infants={passengers.length > holders.length}
                  choices={choices}
                  active={activeOn(flight.segment.id)}
                  onActive={(id) => setPicked((before) => ({ ...before, [flight.segment.id]: id }))}
                  onChange={onChange}
                />
              ),
            }))}
          />
        </section>
      )}
      {phone && flight && !unavailable && (
        <SeatBar flight={flight} holders={holders} choices={choices} active={activeOn(flight.segment.id)} onContinue={proceed} />
      )}
      <div className={layout.actions}>
        <Button onClick={onBack}>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          Back
        </Button>
        <div className={layout.actionsEnd}>
          {!unavailable && (
            <Button variant="quiet" size="lg" onClick={onSkip}>
              Skip Seat Selection
            </Button>
          )}
          {!(phone && flight && !unavailable) && (
            <Button variant="solid" size="lg" disabled={loading} onClick={unavailable ? onSkip : proceed}>
              Continue to Payment
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

function SeatsLoading() {
  return (
    <section className={`card ${layout.pad} ${layout.stack}`} aria-label="Seats">
      <p role="status">Loading seat maps</p>
      <Skeleton width="60%" height={24} />
      <Skeleton width="100%" height={420} radius={12} />
    </section>
  )
}
