/** Who administers what: granted and taken back by administrators of the whole system. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { BrandKey } from './brand.ts'
import { Done } from './common.ts'

/** Somebody who administers all brands, or those that are named. */
export const StaffMember = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  /** null: all. */
  brands: z.array(z.string()).nullable(),
})
export type StaffMember = z.infer<typeof StaffMember>

const errors = ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN'] as const
const change = { access: 'admin', limits: callsPer(60, { network: 60, session: 20 }) } as const

export const staffApi = contract('identity', {
  listStaff: {
    ...addresses.staff.listStaff,
    access: 'admin',
    summary: 'Everybody who administers anything',
    response: z.array(StaffMember),
    errors,
  },
  grantStaff: {
    ...addresses.staff.grantStaff,
    ...change,
    summary:
      'Let the account of an address administer all brands or those that are named; without one it is made, and a link to choose a password is mailed. Needs a password proof of at most 15 minutes ago',
    body: z.object({
      email: z.email('Please enter a valid email address').max(254),
      brands: z.array(BrandKey.shape.brandKey).min(1, 'Please choose a brand').max(50).nullable(),
    }),
    response: StaffMember,
    errors: [...errors, 'REAUTH_REQUIRED', 'OWN_RIGHTS', 'PASSWORD_RACE'],
  },
  revokeStaff: {
    ...addresses.staff.revokeStaff,
    ...change,
    summary: 'Take every right of an administrator back; its sessions end. Needs a password proof as granting does',
    params: z.object({ id: z.string().regex(/^usr_[A-Za-z0-9_-]{1,40}$/, 'This id is not valid') }),
    response: Done,
    errors: [...errors, 'REAUTH_REQUIRED', 'OWN_RIGHTS', 'PERSON_NOT_FOUND', 'PASSWORD_RACE'],
  },
})
