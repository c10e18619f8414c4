/** The card provider's script: asked for on the page of the card fields alone. */
import { CARD_FIELDS_ID, type CardFields } from '@passerelle/contracts/rules/card-fields'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/** A script that is held up counts as one that does not come. */
const LOAD_WITHIN_MS = 15_000

/** What the gateway has written into the page; null outside live mode. */
export function cardFieldsOf(page: Document): CardFields | null {
  const text = page.getElementById(CARD_FIELDS_ID)?.textContent
  return text ? (JSON.parse(text) as CardFields) : null
}

/** null when the provider's script does not come. */
export async function loadProvider({ publishableKey, script }: CardFields): Promise<Stripe | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, LOAD_WITHIN_MS, null))
  try {
    return await Promise.race([load(publishableKey, script), late])
  } catch {
    return null
  }
}

async function load(publishableKey: string, script: string | null): Promise<Stripe | null> {
  // The library takes a script that is there already, else its own.
  if (script !== null) await loadScript(script)
  return loadStripe(publishableKey)
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement('script'), { src: address, onload: () => resolve(), onerror: reject })
    document.head.append(element)
  })
}
