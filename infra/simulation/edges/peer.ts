/** Instead of HTTP between services: a call that crosses the boundary and runs in a replica of the other service. */
import type { Contract } from '@passerelle/contracts/route'
import type { Caller } from '@passerelle/kit/auth'
import type { Peer } from '@passerelle/kit/peer'
import { system } from '../system.ts'

export function peer<C extends Contract>(api: C): Peer<C> {
  return (caller: Caller) =>
    new Proxy({} as ReturnType<Peer<C>>, {
      get: (_target, name) => (input: object) => system().call(api, String(name), { ...input, caller }),
    })
}
