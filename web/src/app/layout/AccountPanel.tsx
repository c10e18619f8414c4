import type { User } from '@passerelle/contracts/http/identity'
import { AccountEntries, MenuEntries } from './MenuEntries.tsx'

/** What the account's menu lists. It comes when the menu is about to be opened. */
export function AccountPanel({ user, id }: { user: User; id: string }) {
  return (
    <MenuEntries id={id}>
      <AccountEntries user={user} />
    </MenuEntries>
  )
}
