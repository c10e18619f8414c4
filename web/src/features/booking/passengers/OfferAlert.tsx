import type { FlightOffer } from '@passerelle/contracts/http/search'
import { readLastSearch } from '../../../lib/last-search.ts'
import { Link } from '../../../lib/router.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { searchAfterExpiry } from '../model/expiry.ts'
import { type OfferCheck, UNVERIFIED_TITLE } from '../model/verification.ts'

/** What the last check of the offer means for the form; nothing while it is valid. */
export function OfferAlert({ check, offer }: { check: OfferCheck | null; offer: FlightOffer }) {
  if (!check || check.state === 'valid') return null
  if (check.state === 'expired') {
    return (
      <Alert tone="negative" title={check.message}>
        <Link to={searchAfterExpiry(readLastSearch(), offer)}>Search these flights again</Link>
      </Alert>
    )
  }
  if (check.state === 'refused') {
    return (
      <Alert tone="negative" title="This offer could not be confirmed.">
        {check.message}
      </Alert>
    )
  }
  return (
    <Alert tone="warning" role="status" title={UNVERIFIED_TITLE}>
      {check.message} You can keep filling in the form; we check again every 30 seconds.
    </Alert>
  )
}
