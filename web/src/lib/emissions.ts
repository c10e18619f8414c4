/** An estimate of emissions with its source: the figure of the airline search provider, as it is, and nothing concluded from it. */

const SOURCE = 'estimate by the airline search provider'
const KG = new Intl.NumberFormat('en-US')

/** "310 kg CO₂ (search provider’s estimate)", for a line among others; null without an estimate. */
export function emissionsShort(kg: number | undefined): string | null {
  return kg === undefined ? null : `${KG.format(kg)} kg CO₂ (search provider’s estimate)`
}

/** "CO₂ of all flights for all passengers: 310 kg, estimate by the airline search provider."; null without an estimate. */
export function emissionsText(kg: number | undefined): string | null {
  return kg === undefined ? null : `CO₂ of all flights for all passengers: ${KG.format(kg)} kg, ${SOURCE}.`
}
