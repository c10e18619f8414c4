/** The price of an offer and the rules of its fare. */
import type { AvailableService, CustomerPrice, FareCondition, FlightOffer } from '@passerelle/contracts/http/search'
import { compareAmounts, customerPrice, formatMoney } from '@passerelle/contracts/rules/money'
import { passportRequired } from '@passerelle/contracts/rules/passport'

type Priced = Pick<FlightOffer, 'total_amount' | 'base_amount' | 'total_currency'> & { price?: CustomerPrice | undefined }

/** The server's price as it is; only a server that sends none leaves it to the shared rule. The markup is never added twice. */
export function shownPrice(offer: Priced): CustomerPrice {
  return offer.price ?? customerPrice(offer)
}

export type Rule = { answer: 'Yes' | 'No'; detail: string }

/** What the agency gives back is what the airline gives back: its own fee stays. */
export function refundRule({ refundable, refund }: FlightOffer['conditions']): Rule {
  if (!refundable)
    return { answer: 'No', detail: refund ? 'The airline gives nothing back for this fare.' : 'The airline promises nothing.' }
  const kept = penaltyText(refund)
  return { answer: 'Yes', detail: kept ? `Until departure. The airline keeps ${kept}; our fee is not returned.` : 'Until departure.' }
}

export function changeRule({ changeable, change }: FlightOffer['conditions']): Rule {
  if (!changeable) return { answer: 'No', detail: change ? 'The airline does not change this fare.' : 'The airline promises nothing.' }
  const charged = penaltyText(change)
  return {
    answer: 'Yes',
    detail: charged ? `Until departure. The airline charges ${charged}, and any difference in fare.` : 'Until departure.',
  }
}

function penaltyText(condition: FareCondition | null): string | null {
  if (!condition?.penalty) return null
  const { amount, currency } = condition.penalty
  return compareAmounts(amount, '0') === 0 ? 'nothing' : formatMoney(amount, currency)
}

export type ServiceLine = { key: string; name: string; description: string; price: string; times: number }

/** The same extra for another passenger or flight is one line. */
export function serviceLines(services: readonly AvailableService[]): ServiceLine[] {
  const lines = new Map<string, ServiceLine>()
  for (const { name, description, price } of services) {
    const words = price ? formatMoney(price.amount, price.currency) : 'Price unavailable'
    const key = [name, description, words].join('\n')
    const line = lines.get(key)
    if (line) line.times += 1
    else lines.set(key, { key, name, description, price: words, times: 1 })
  }
  return [...lines.values()]
}

export function identityText(offer: Pick<FlightOffer, 'passenger_identity_documents_required' | 'slices'>): string {
  const wanted = 'the passport number, its expiry date and the issuing country of every passenger'
  if (offer.passenger_identity_documents_required) return `The airline asks for ${wanted}.`
  if (passportRequired(offer)) return `This trip crosses a border: when you book we ask for ${wanted}.`
  return 'No passport details are needed to book. Every passenger travels with a valid identity document.'
}
