/** Every event of the product, for checks, samples and documentation. */
import type { EventDefinition } from '../event.ts'
import * as booking from './booking.ts'
import * as brand from './brand.ts'
import * as identity from './identity.ts'
import * as payment from './payment.ts'

export const allEvents: readonly EventDefinition[] = [booking, payment, identity, brand].flatMap(
  (owner) => Object.values(owner) as unknown as EventDefinition[],
)
