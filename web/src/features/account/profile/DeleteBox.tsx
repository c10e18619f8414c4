import { useState } from 'react'
import { useFacts } from '../../../brand/facts.ts'
import { countNoun } from '../../../lib/format/people.ts'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { Button } from '../../../ui/Button.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import styles from '../Account.module.css'
import { Box } from '../Box.tsx'

const DeleteAccount = lazyOverlay(async () => (await import('./DeleteAccount.tsx')).DeleteAccount)

type Props = {
  isAdmin: boolean
  /** Trips to come; undefined while they are not known. */
  upcoming: number | undefined
}

/** Says what goes, what stays and why, before anybody can press. */
export function DeleteBox({ isAdmin, upcoming }: Props) {
  const { retention } = useFacts()
  const [asking, setAsking] = useState(false)
  return (
    <Box title="Delete account" danger>
      <ul className={styles.list}>
        <li>Your sign-in and your profile are deleted, and every device is signed out. This cannot be undone.</li>
        {upcoming !== 0 && (
          <li>
            {upcoming === undefined ? 'Trips to come are not cancelled.' : notCancelled(upcoming)} If you do not want to fly,{' '}
            <Link to={paths.trips}>cancel first</Link>. Otherwise keep the booking reference: you find the trip again by it and your e-mail,
            in <Link to={`${paths.support}?tab=bookings`}>Retrieve Booking</Link>.
          </li>
        )}
        <li>
          Bookings and payments are kept for about {retention}, because accounting law asks for it. Travel documents are destroyed 30 days
          after the last flight, as the <Link to={paths.privacy}>Privacy Policy</Link> says. Messages that you sent us are kept for two
          years.
        </li>
      </ul>
      <div className={`${styles.foot} ${styles.after}`}>
        {isAdmin ? (
          <p className={styles.small}>
            This account administers the website and cannot be deleted here. Another administrator must take that role away first.
          </p>
        ) : (
          <>
            <Button variant="dangerLine" aria-haspopup="dialog" onClick={() => setAsking(true)}>
              Delete account
            </Button>
            <p className={styles.small}>You confirm with your password in the next step.</p>
          </>
        )}
      </div>
      <DeleteAccount open={asking} onClose={() => setAsking(false)} />
    </Box>
  )
}

const notCancelled = (trips: number) => `Your ${countNoun(trips, 'upcoming trip')} ${trips === 1 ? 'is' : 'are'} not cancelled.`
