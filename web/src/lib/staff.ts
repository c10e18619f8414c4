/** Who sees administration. The screens only follow the rights: the services hold them. */
import type { User } from '@passerelle/contracts/http/identity'

/** Administrator of the whole system, or of named brands; who it is may not be known yet. */
export function administers(user: Pick<User, 'isAdmin'> & Partial<Pick<User, 'staffOf'>>): boolean {
  return user.isAdmin === true || (user.staffOf?.length ?? 0) > 0
}
