import type { SeatMap } from '@passerelle/contracts/http/search'
import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from './SeatMaps.module.css'
import { useSeatMaps } from './use-offer.ts'

const hasPlan = (map: SeatMap) => map.cabins.length > 0 || map.segments.some((segment) => segment.cabins.length > 0)

/** Read when the tab is first opened. Seats are chosen during booking; here one learns whether they can be. */
export function SeatMaps({ offerId }: { offerId: string }) {
  const { data, isPending } = useSeatMaps(offerId)
  if (isPending) {
    return (
      <div className={styles.loading} role="status">
        <p>Loading seat maps...</p>
        <Skeleton width="72%" height={16} />
      </div>
    )
  }
  return (
    <p role="status">
      {data?.data?.some(hasPlan)
        ? 'Seat selection will be available during booking.'
        : 'Seat maps are not available for this flight. You will be able to select seats after booking.'}
    </p>
  )
}
