import { Skeleton } from '../../ui/Skeleton.tsx'
import styles from './OfferPage.module.css'

/** The page's own grid until the offer has come. */
export function OfferLoading() {
  return (
    <div className={styles.waiting}>
      <h1 className="visually-hidden">Flight details</h1>
      <div className={styles.head} aria-hidden="true">
        <div className={styles.waitingHead}>
          <Skeleton width={240} height={32} />
          <Skeleton width={340} height={20} />
        </div>
      </div>
      <p className="visually-hidden" role="status">
        Loading flight details
      </p>
      <div className={styles.columns} aria-hidden="true">
        <div className={styles.stack}>
          {['outbound', 'return'].map((card) => (
            <div key={card} className={`card ${styles.waitingCard}`}>
              <Skeleton width="46%" height={20} />
              <Skeleton width="100%" height={56} />
              <Skeleton width="64%" height={24} />
            </div>
          ))}
        </div>
        <div className={`card ${styles.waitingCard}`}>
          <Skeleton width="50%" height={24} />
          <Skeleton width="100%" height={48} />
          <Skeleton width="100%" height={52} radius={8} />
        </div>
      </div>
    </div>
  )
}
