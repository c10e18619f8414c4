/** Searches of tests on the whole system. */

/** The date in so many days. */
export const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

let days = 30
/** A search of its own for each call, so that no two tests of a file share an offer request. */
export const lisbon = () => `origin=CDG&destination=LIS&departureDate=${day(++days)}`
