/**
 * How long things may take, in milliseconds. Together they bring every payment that a killed process left to its end within a minute of
 * the restart, as long as the provider answers; holds that wait for a booking have times of their own (`HoldTimes`).
 */

/** A request for which a card is being charged may write so long after it has answered. */
export const ATTEMPT_GRACE_MS = 3000

/**
 * An attempt without an outcome is given up so long after the last sign of its visitor: later than the longest answer (22 s) and its
 * grace, so that the same key can still find the outcome, and within the minute.
 */
export const UNRESOLVED_MS = 45_000

/**
 * A worker, or a request that captures or voids, has a payment for itself for so long: longer than the caller of a capture waits (40 s).
 * Whoever comes after a process that was killed repeats its call to the provider under the same idempotency key.
 */
export const OPERATION_MS = 45_000

/** The longest pause between two tries of what the provider did not do. */
export const LONGEST_BACKOFF_MS = 30_000
