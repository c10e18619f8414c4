/** Every contract of the product: the gateway's table, the OpenAPI document and the checks are loops over it. */
import type { Contract, Route } from '../route.ts'
import { accountApi } from './account.ts'
import { adminApi } from './admin.ts'
import { backOfficeApi } from './back-office.ts'
import { bookingApi } from './booking.ts'
import { brandApi } from './brand.ts'
import { brandHostApi } from './brand-host.ts'
import { brandManagerApi } from './brand-manager.ts'
import { identityApi } from './identity.ts'
import { messagesApi } from './messages.ts'
import { paymentApi } from './payment.ts'
import { searchApi } from './search.ts'
import { staffApi } from './staff.ts'

export const allContracts: readonly Contract<Record<string, Route>>[] = [
  searchApi,
  bookingApi,
  backOfficeApi,
  paymentApi,
  identityApi,
  accountApi,
  staffApi,
  brandApi,
  messagesApi,
  adminApi,
  brandManagerApi,
  brandHostApi,
]
