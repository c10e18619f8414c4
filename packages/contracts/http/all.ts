/** Every contract of the product: the gateway's table, the OpenAPI document and the checks are loops over it. */
import type { Contract, Route } from '../route.ts'
import { bookingApi } from './booking.ts'
import { brandApi } from './brand.ts'
import { identityApi } from './identity.ts'
import { paymentApi } from './payment.ts'
import { searchApi } from './search.ts'

export const allContracts: readonly Contract<Record<string, Route>>[] = [searchApi, bookingApi, paymentApi, identityApi, brandApi]
