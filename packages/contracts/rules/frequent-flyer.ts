/** Numbers of airlines' frequent flyer programmes: how one is written, and whether an offer takes it. */

/** As typed -> as kept: no spaces, no hyphens, upper case. */
export function normaliseFrequentFlyerNumber(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase()
}

export const FREQUENT_FLYER_TEXTS = {
  numberLength: 'Frequent flyer number must have 4 to 20 letters and digits',
  airlineUnknown: 'Airline of the frequent flyer number must be a code of two characters',
} as const

/** IATA code of an airline. */
export const isAirlineCode = (text: string): boolean => /^[A-Z0-9]{2}$/.test(text)

/** `airlines`: IATA codes of those whose numbers the offer takes. Both fields may be empty, never one alone. */
export function frequentFlyerProblem(
  {
    frequentFlyerAirline: airline = '',
    frequentFlyerNumber: number = '',
  }: { frequentFlyerAirline?: string | undefined; frequentFlyerNumber?: string | undefined },
  airlines: readonly string[],
): { field: 'frequentFlyerAirline' | 'frequentFlyerNumber'; message: string } | null {
  if (!airline && !number) return null
  if (!airline) return { field: 'frequentFlyerAirline', message: 'Choose the airline of the frequent flyer number' }
  if (!airlines.includes(airline))
    return { field: 'frequentFlyerAirline', message: 'This flight does not take frequent flyer numbers of that airline' }
  if (!number) return { field: 'frequentFlyerNumber', message: 'Enter the frequent flyer number, or choose no airline' }
  const written = normaliseFrequentFlyerNumber(number)
  return /^[A-Z0-9]{4,20}$/.test(written) ? null : { field: 'frequentFlyerNumber', message: FREQUENT_FLYER_TEXTS.numberLength }
}

/** What of a number may be shown to those who see the booking: enough to tell one's own. */
export const numberEnding = (number: string): string => number.slice(-3)
