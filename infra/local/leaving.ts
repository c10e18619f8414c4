/** How a local system ends: Ctrl-C, SIGTERM, a closed terminal. */

const SAME_WISH_MS = 1500

/**
 * `work` ends everything in order; asking again after a while calls `hurry`. A Ctrl-C in a terminal arrives twice, from the terminal
 * and from npm, so what comes close behind the first is the same wish.
 */
export function onLeave(work: () => Promise<void>, hurry: () => void): void {
  let since: number | undefined
  const leave = async () => {
    if (since !== undefined) {
      if (performance.now() - since < SAME_WISH_MS) return
      hurry()
      process.exit(1)
    }
    since = performance.now()
    await work()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void leave())
}
