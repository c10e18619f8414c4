import { useEffect } from 'react'
import { useRouteError } from '../lib/router.ts'
import { reload, shouldReload } from '../lib/stale-chunk.ts'
import { Failed } from '../ui/Failed.tsx'
import { Loading } from './Loading.tsx'

/** In place of a screen that broke or did not come. The router writes the error to the console. */
export function RouteError() {
  const error = useRouteError()
  const again = shouldReload(error)
  useEffect(() => {
    if (again) reload()
  }, [again])
  return again ? <Loading /> : <Failed />
}
