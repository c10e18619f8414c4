/** Instead of Express: the handlers of a contract, for calls from within the process. */
import type { Contract } from '@passerelle/contracts/route'
import type { Handlers } from '@passerelle/kit/http'

export type Mounted = { api: Contract; handlers: Record<string, (call: object) => Promise<unknown>> }

export const mount = <C extends Contract>(api: C, handlers: Handlers<C>) => ({ api, handlers }) as unknown as Mounted
