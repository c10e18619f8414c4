import { Skeleton } from '../../../ui/Skeleton.tsx'
import card from './OfferCard.module.css'
import styles from './OfferSkeleton.module.css'

/** The room of a card whose offer is still being searched. */
export function OfferSkeleton({ legs }: { legs: 1 | 2 }) {
  return (
    <div className={`${card.offer} ${legs === 1 ? card.oneWay : ''} ${styles.offer}`} aria-hidden="true">
      <div className={card.main}>
        <div className={card.top}>
          <Skeleton width={26} height={26} />
          <Skeleton width={120} height={16} />
        </div>
        <LegSkeleton />
        {legs === 2 && <LegSkeleton />}
      </div>
      <div className={`${card.stub} ${styles.stub}`}>
        <Skeleton width={92} height={28} />
        <span className="wide-only">
          <Skeleton width={128} height={12} />
        </span>
        <span className={styles.button}>
          <Skeleton width="100%" height={44} radius={8} />
        </span>
      </div>
    </div>
  )
}

function LegSkeleton() {
  return (
    <div className={card.leg}>
      <div className={`${card.date} ${styles.lines}`}>
        <Skeleton width={74} height={14} />
        <Skeleton width={62} height={12} />
      </div>
      <div className={styles.lines}>
        <Skeleton width={64} height={24} />
        <Skeleton width={80} height={12} />
      </div>
      <div className={styles.middle}>
        <Skeleton width={56} height={11} />
        <Skeleton width="100%" height={3} />
        <Skeleton width={44} height={11} />
      </div>
      <div className={styles.lines}>
        <Skeleton width={64} height={24} />
        <Skeleton width="88%" height={12} />
      </div>
    </div>
  )
}
