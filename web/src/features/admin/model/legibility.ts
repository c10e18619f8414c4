/** What the look makes of a brand's colours, and where it shows another one because the given one could not be read. */
import { type BrandColors, type BrandTokens, canvasFor, deriveBrand, LEGIBILITY } from '@passerelle/contracts/rules/brand'
import { contrast, isHexColor, mix } from '@passerelle/contracts/rules/color'

type LegibilityRow = {
  what: string
  ink: string
  ground: string
  /** Of what is shown. */
  ratio: number
  adjusted: boolean
  words: string
}

const long = (color: string) => mix(color, color, 1)
const ratioText = (ratio: number) => `${ratio.toFixed(1)}:1`

export function legibilityOf(colors: BrandColors): LegibilityRow[] {
  const tokens = deriveBrand(colors)
  const row = (what: string, name: string, given: string, shown: string, ink: string, ground: string, against: string): LegibilityRow => {
    const usable = isHexColor(given)
    const adjusted = !usable || long(given) !== shown
    const words = !usable
      ? `${name} is no colour: the default one is used`
      : adjusted
        ? `${name} has only ${ratioText(contrast(given, against))}, so ${shown} is shown`
        : 'As given'
    return { what, ink, ground, ratio: contrast(ink, ground), adjusted, words }
  }
  const { primary, secondary, text } = colors
  return [
    row('Text on primary', 'Primary', primary, tokens.brand, tokens['brand-ink'], tokens.brand, tokens['brand-ink']),
    row('Links and labels', 'Primary', primary, tokens['brand-text'], tokens['brand-text'], tokens.canvas, tokens.canvas),
    row('Outlines and focus', 'Primary', primary, tokens['brand-edge'], tokens['brand-edge'], tokens.canvas, tokens.canvas),
    row('Text on secondary', 'Secondary', secondary, tokens.deep, tokens['deep-ink'], tokens.deep, tokens['deep-ink']),
    row('Text on background', 'Text', text, tokens.ink, tokens.ink, tokens.canvas, tokens.canvas),
    backgroundRow(colors.background, tokens),
  ]
}

function backgroundRow(background: string, tokens: BrandTokens): LegibilityRow {
  const base = { what: 'Page', ink: tokens.ink, ground: tokens.canvas, ratio: contrast(tokens.ink, tokens.canvas) }
  if (!isHexColor(background)) return { ...base, adjusted: true, words: 'Background is no colour: the default one is used' }
  const { adjusted, canvas } = canvasFor(background)
  const words = adjusted ? `No text reads well on ${background}, so ${canvas} is shown` : 'As given'
  return { ...base, adjusted, words }
}

/** Pairs of the whole look that fall short; the derivation leaves none. */
export function unreadable(tokens: BrandTokens): string[] {
  return LEGIBILITY.filter(({ ink, ground, least }) => contrast(tokens[ink], tokens[ground]) < least).map(
    ({ what, ink, ground }) => `${what} (${ink} on ${ground})`,
  )
}

/** Every derived colour with its name. */
export function paletteOf(colors: BrandColors): [name: string, color: string][] {
  return Object.entries(deriveBrand(colors)).filter(([, value]) => isHexColor(value))
}
