import { travellersText } from '../../../lib/format/people.ts'
import { BridgeReaching } from '../../../ui/illustration/BridgeReaching.tsx'
import type { OfferFacts } from '../model/offer-facts.ts'
import { countsOf, offerAddress, type Search } from '../model/search-address.ts'
import list from './List.module.css'
import styles from './LoadingList.module.css'
import { OfferCard } from './OfferCard.tsx'
import { OfferSkeleton } from './OfferSkeleton.tsx'

const CARDS = 4
const EARLIER = 3

/** Up to three earlier offers, dimmed, and the room of those to come. */
export function LoadingList({ search, earlier }: { search: Search; earlier: readonly OfferFacts[] }) {
  const shown = earlier.slice(0, EARLIER)
  const legs = search.returnDate ? 2 : 1
  const travellers = travellersText(countsOf(search))
  return (
    <section aria-label="Results">
      <div className={styles.searching} role="status">
        <BridgeReaching />
        <h2>Searching flights</h2>
        <span className={`${styles.patience} wide-only`}>This usually takes a few seconds</span>
      </div>
      {shown.length > 0 && <p className="visually-hidden">Earlier results while the new ones load</p>}
      <ul className={list.offers}>
        {shown.map((facts) => (
          <li key={facts.offer.id} inert>
            <OfferCard facts={facts} address={offerAddress(facts.offer.id, search)} travellers={travellers} distinction={null} earlier />
          </li>
        ))}
        {Array.from({ length: Math.max(1, CARDS - shown.length) }, (_, index) => `skeleton ${index}`).map((key) => (
          <li key={key}>
            <OfferSkeleton legs={legs} />
          </li>
        ))}
      </ul>
    </section>
  )
}
