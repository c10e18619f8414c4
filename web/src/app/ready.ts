import type { createMemoryRouter } from '../lib/router.ts'

/** Until the code of the first screen is here, or has failed to come. */
export function isReady(router: Pick<ReturnType<typeof createMemoryRouter>, 'state' | 'subscribe'>): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve()
    const stop = router.subscribe((state) => {
      if (!state.initialized) return
      stop()
      resolve()
    })
  })
}
