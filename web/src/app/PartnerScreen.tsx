import { PartnerPage } from '../features/partner/PartnerPage.tsx'
import { SearchWidget } from '../features/search/form/SearchWidget.tsx'

/** The partner page with the search of the search feature in it. */
export function PartnerScreen() {
  return <PartnerPage Search={SearchWidget} />
}
