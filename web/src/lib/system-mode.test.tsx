import type { SystemMode } from '@passerelle/contracts/http/brand'
import { describe, expect, it } from 'vitest'
import { ApiError } from './api-client.ts'
import { systemModeQuery } from './queries.ts'
import { createQueryClient } from './query-client.ts'
import { render } from './render.fixture.tsx'
import { useSystemMode } from './system-mode.ts'

function Shown() {
  return <p>{JSON.stringify(useSystemMode())}</p>
}

/** What the website takes for the mode after this answer; undefined: none has come yet. */
function takenFor(answer: SystemMode | Error | undefined): unknown {
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryOnMount: false } })
  const query = queryClient.getQueryCache().build(queryClient, queryClient.defaultQueryOptions(systemModeQuery))
  if (answer instanceof Error) query.setState({ status: 'error', error: answer, fetchStatus: 'idle' })
  else if (answer) query.setData(answer)
  return JSON.parse(render(<Shown />, { queryClient }).text)
}

describe('the mode that the website believes in', () => {
  it('AADM-02, R-19: is test when it cannot be asked for, but nothing depends on it that needs the server’s word', () => {
    expect(takenFor(new ApiError(503, '', ''))).toEqual({ mode: 'test', saidTest: false })
  })

  it('GEN-02, R-19: is test or live as the server says, and test for certain only by its word', () => {
    expect(takenFor({ mode: 'test', isLiveMode: false })).toEqual({ mode: 'test', saidTest: true })
    expect(takenFor({ mode: 'live', isLiveMode: true })).toEqual({ mode: 'live', saidTest: false })
    expect(takenFor({ mode: 'test', isLiveMode: true })).toMatchObject({ saidTest: false })
  })

  it('is not known before the answer', () => {
    expect(takenFor(undefined)).toEqual({ mode: null, saidTest: false })
  })
})
