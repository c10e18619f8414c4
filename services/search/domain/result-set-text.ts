/** A result set as one text for the shared cache. JSON texts have no line breaks, so offers are lines and need no second parsing. */
import type { OfferText, ResultSet } from './result-set.ts'

type Header = Omit<ResultSet, 'offers'> & { offers: Omit<OfferText, 'head' | 'tail'>[] }

export function encodeResultSet({ offers, ...set }: ResultSet): string {
  const header: Header = { ...set, offers: offers.map(({ id, expiresAt, amounts }) => ({ id, expiresAt, amounts })) }
  return [JSON.stringify(header), ...offers.flatMap(({ head, tail }) => [head, tail])].join('\n')
}

/** Null for a text that is not a whole set, e.g. one cut short. */
export function decodeResultSet(text: string): ResultSet | null {
  const [first = '', ...lines] = text.split('\n')
  try {
    const { offers, ...set } = JSON.parse(first) as Header
    if (lines.length !== offers.length * 2) return null
    return {
      ...set,
      // An empty set never expires by its offers; Infinity does not survive JSON.
      earliestExpiry: set.earliestExpiry ?? Number.POSITIVE_INFINITY,
      offers: offers.map((offer, index) => ({ ...offer, head: lines[index * 2] as string, tail: lines[index * 2 + 1] as string })),
    }
  } catch {
    return null
  }
}
