import type { User } from '@passerelle/contracts/http/identity'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../../lib/paths.ts'
import { bookingsQuery } from '../../../lib/queries.ts'
import { Link } from '../../../lib/router.ts'
import { administers } from '../../../lib/staff.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { WithAside } from '../../../ui/WithAside.tsx'
import styles from '../Account.module.css'
import { Box } from '../Box.tsx'
import { dateOf } from '../model/moments.ts'
import { type Upcoming, upcomingOf } from '../model/upcoming.ts'
import { DeleteBox } from './DeleteBox.tsx'
import { EmailRow } from './EmailRow.tsx'
import { ExportBox } from './ExportBox.tsx'

export function ProfileTab({ user }: { user: User }) {
  const trips = useQuery({ ...bookingsQuery, select: upcomingOf })
  return (
    <WithAside asideLabel="Your trips" aside={<Trips upcoming={trips.data} />}>
      <div className={styles.stack}>
        <Profile user={user} />
        <ExportBox />
        <DeleteBox isAdmin={administers(user)} upcoming={trips.data?.count} />
      </div>
    </WithAside>
  )
}

function Profile({ user }: { user: User }) {
  return (
    <Box title="Profile" className={styles.profile}>
      <dl className={styles.rows}>
        <div>
          <dt>Name</dt>
          <dd>{`${user.firstName} ${user.lastName}`.trim() || 'Not told'}</dd>
        </div>
        <div>
          <dt>Username</dt>
          <dd>{user.username}</dd>
        </div>
        <EmailRow user={user} />
        <div>
          <dt>Account created</dt>
          <dd className="numerals">{dateOf(user.createdAt)}</dd>
        </div>
      </dl>
      <p className={`${styles.rule} ${styles.small}`}>
        These details are read-only here. To correct one, <Link to={paths.contact}>write to us</Link>.
      </p>
    </Box>
  )
}

/** Until the trips are known, and if they cannot be read, only the link. */
function Trips({ upcoming }: { upcoming: Upcoming | undefined }) {
  return (
    <Box title="Your trips" className={styles.side}>
      {upcoming && (
        <p className={`${styles.words} ${styles.small}`}>
          {upcoming.count === 0 ? 'None to come.' : `${upcoming.count} upcoming.`}
          {upcoming.next && ` The next one leaves ${upcoming.next.from} on ${upcoming.next.on}.`}
        </p>
      )}
      <ButtonLink variant="soft" full to={paths.trips}>
        View My Trips
      </ButtonLink>
    </Box>
  )
}
