import styles from './Seats.module.css'

/** What the cells mean, and what they cost. */
export function SeatKey({ included, paid }: { included: boolean; paid: string | null }) {
  return (
    <div>
      <h2 className={styles.legend}>Key</h2>
      <ul className={styles.key}>
        {included && (
          <li>
            <span className={styles.seat} aria-hidden="true" />
            Included
          </li>
        )}
        {paid && (
          <li>
            <span className={`${styles.seat} ${styles.paid}`} aria-hidden="true" />
            For a fee
            <span className={styles.keyPrice}>{paid}</span>
          </li>
        )}
        <li>
          <span className={`${styles.seat} ${styles.mine}`} aria-hidden="true" />
          Your party
        </li>
        <li>
          <span className={`${styles.seat} ${styles.taken}`} aria-hidden="true" />
          Not available
        </li>
      </ul>
    </div>
  )
}
