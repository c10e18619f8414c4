import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { readLastSearch, searchAddress } from '../../lib/last-search.ts'
import { Alert } from '../../ui/Alert.tsx'
import { type OfferCheck, UNVERIFIED_TITLE } from '../booking/model/verification.ts'

/** What the last check of the offer means; nothing while it is valid. */
export function CheckAlert({ check }: { check: OfferCheck | null }) {
  if (check === null || check.state === 'valid') return null
  if (check.state === 'unverified') {
    return (
      <Alert tone="warning" role="status" title={UNVERIFIED_TITLE}>
        We check again in a moment; what you have entered stays here.
      </Alert>
    )
  }
  if (check.state === 'refused') {
    return (
      <Alert tone="negative" title="Offer Validation Failed">
        {check.message}
      </Alert>
    )
  }
  const last = readLastSearch()
  return (
    <Alert tone="negative" title={check.gone ? 'Offer No Longer Available.' : 'Flight Offer Expired.'}>
      {check.message} <Link to={last ? searchAddress(last) : paths.home}>Back to search</Link>
    </Alert>
  )
}
