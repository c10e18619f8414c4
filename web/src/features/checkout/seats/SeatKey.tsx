import styles from './Seats.module.css'

/** What the seats look like, with the prices of those that cost something. */
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
            Extra charge
            <span className={styles.price}>{paid}</span>
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
