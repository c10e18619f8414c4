/**
 * The page that shows the card provider's own fields in live mode: a document of its own, in a frame of the payment step, so that the
 * provider's script and its part of the content policy are there and nowhere else (docs/decisions/0022).
 */

export const CARD_FIELDS_PATH = '/booking/card'

/** The id of the element in which that page carries `CardFields` as JSON; absent outside live mode. */
export const CARD_FIELDS_ID = 'card-fields'

/** `script`: another address of the provider's script than its own; a simulator's. */
export type CardFields = { publishableKey: string; script: string | null }
