/** Passwords that a stranger would try first because of whose account it is. */
import { keyOf } from './user.ts'

export type Owner = { username: string; email: string }

/** The password is the username, the address or what stands before its @, in any case. */
export function isNameOfOwner(password: string, { username, email }: Owner): boolean {
  const names = [username, email, email.split('@')[0] ?? ''].map(keyOf)
  return names.includes(keyOf(password))
}
