import type { Mode } from '@passerelle/contracts/http/common'
import { useQuery } from '@tanstack/react-query'
import { systemModeQuery } from './queries.ts'

export type SystemMode = {
  /** "test" when the check failed; null while it is not known. Good for badges only. */
  mode: Mode | null
  /** The server itself said "test". What a mistake would make dangerous (test card, shortcuts) asks for this. */
  saidTest: boolean
}

export function useSystemMode(): SystemMode {
  const { data, isError } = useQuery(systemModeQuery)
  if (isError) return { mode: 'test', saidTest: false }
  return { mode: data?.mode ?? null, saidTest: data?.mode === 'test' && data.isLiveMode === false }
}
