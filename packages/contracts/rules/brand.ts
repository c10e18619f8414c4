/** The look of a brand: every colour token from its five colours, and the key a host name stands for. */
import { BLACK, channels, contrast, inkOn, isHexColor, lightness, mix, moveUntil, shift, WHITE } from './color.ts'
import { DEFAULT_BRAND_KEY, defaultBrand } from './default-brand.ts'

export type BrandColors = { primary: string; secondary: string; accent: string; background: string; text: string }

type BrandScheme = 'light' | 'dark'

/** Token name, as a CSS custom property without the two hyphens, to its value. */
export type BrandTokens = Readonly<Record<BrandToken, string>>

type BrandToken =
  | 'canvas'
  | 'surface'
  | 'sunken'
  | 'muted-bg'
  | 'line-soft'
  | 'line'
  | 'line-control'
  | 'ink'
  | 'ink-muted'
  | 'brand'
  | 'brand-ink'
  | 'brand-hover'
  | 'brand-text'
  | 'brand-edge'
  | 'brand-soft'
  | 'brand-softer'
  | 'brand-line'
  | 'deep'
  | 'deep-ink'
  | 'deep-muted'
  | 'deep-line'
  | 'accent'
  | 'accent-ink'
  | 'hero-ink-2'
  | 'art-sky-2'
  | 'art-sky-3'
  | 'art-far'
  | 'art-mid'
  | 'art-near'
  | 'art-hull'
  | 'art-hull-shade'
  | 'art-hull-line'
  | 'art-dark'
  | 'focus'
  | 'shadow'
  | 'scheme'
  | `${StatusName}`
  | `${StatusName}-soft`
  | `${StatusName}-line`
  | `${StatusName}-solid`

type StatusName = 'positive' | 'warning' | 'negative' | 'info'

/** A page is light from here up and dark from here down; what lies between moves to the nearer limit, because no single ink reads on it. */
const LIGHT_LIMIT = 0.86
const DARK_LIMIT = 0.16

/** Fixed for every brand: the ink (also the solid fill under white), the soft ground and its edge. */
const STATUS: Record<StatusName, { ink: string; soft: string; line: string }> = {
  positive: { ink: '#0b6b3a', soft: '#e3f4ea', line: '#a9d8bd' },
  warning: { ink: '#7a4b00', soft: '#fdf1d8', line: '#ecc987' },
  negative: { ink: '#b3261e', soft: '#fdeceb', line: '#f0b5b1' },
  info: { ink: '#1a4fa3', soft: '#e8f0fc', line: '#b4cbef' },
}

/** The page a background becomes: itself when it is light or dark enough, else mixed with white or black up to the nearer limit. */
export function canvasFor(background: string): { canvas: string; scheme: BrandScheme; adjusted: boolean } {
  const given = lightness(background)
  const scheme: BrandScheme = given >= (LIGHT_LIMIT + DARK_LIMIT) / 2 ? 'light' : 'dark'
  const reached = (color: string) => (scheme === 'light' ? lightness(color) >= LIGHT_LIMIT : lightness(color) <= DARK_LIMIT)
  const pole = scheme === 'light' ? WHITE : BLACK
  for (let step = 0; step < 50; step++) {
    const tried = mix(background, pole, 1 - step / 50)
    if (reached(tried)) return { canvas: tried, scheme, adjusted: step > 0 }
  }
  return { canvas: pole, scheme, adjusted: true }
}

/** A fill keeps the ink that `inkOn` picked; when the pair is under 4.5:1 the fill moves away from its ink, never the ink. */
function fillFor(color: string): string {
  const ink = inkOn(color)
  return moveUntil(color, ink === WHITE ? BLACK : WHITE, 4.5, [ink])
}

/** What is no hex colour would spoil every token that is mixed from it. */
function usableColors(colors: BrandColors): BrandColors {
  const names = ['primary', 'secondary', 'accent', 'background', 'text'] as const
  return Object.fromEntries(names.map((name) => [name, isHexColor(colors[name]) ? colors[name] : defaultBrand.theme[name]])) as BrandColors
}

/**
 * Every token of the look from a brand's five hex colours; one that is none is the default brand's. Pure: the same in the gateway, the
 * website and the brand editor.
 */
export function deriveBrand(given: BrandColors): BrandTokens {
  const colors = usableColors(given)
  const { canvas, scheme } = canvasFor(colors.background)
  const light = scheme === 'light'
  const pole = light ? BLACK : WHITE
  const surface = shift(canvas, 5)
  const sunken = shift(canvas, -5)
  const mutedBg = shift(canvas, -20)
  const pages = [canvas, surface, sunken]

  const pale = lightness(colors.primary) > 0.5
  const soft = mix(colors.primary, surface, pale ? 0.24 : 0.1)
  const softer = mix(colors.primary, surface, pale ? 0.12 : 0.05)
  const ink = moveUntil(moveUntil(colors.text, pole, 7, [canvas, mutedBg]), pole, 4.6, [surface, soft, softer])

  const brand = fillFor(colors.primary)
  const brandInk = inkOn(colors.primary)
  const secondaryReads = contrast(colors.secondary, canvas) >= 4.6 && contrast(colors.secondary, soft) >= 4.6
  // A primary too pale to be read hands text, outlines and focus to a secondary that passes.
  const voice = contrast(colors.primary, canvas) < 2.5 && secondaryReads ? colors.secondary : colors.primary
  const deep = fillFor(colors.secondary)
  const deepInk = inkOn(colors.secondary)
  const scene = (share: number) => mix(brandInk, brand, share)

  return {
    scheme,
    canvas,
    surface,
    sunken,
    'muted-bg': mutedBg,
    'line-soft': shift(canvas, -10),
    line: mix(ink, canvas, light ? 0.13 : 0.2),
    'line-control': moveUntil(mix(ink, canvas, 0.45), ink, 3.1, pages),
    ink,
    'ink-muted': moveUntil(mix(ink, canvas, 0.62), ink, 4.6, [...pages, mutedBg]),
    brand,
    'brand-ink': brandInk,
    'brand-hover': mix(brand, brandInk === WHITE ? BLACK : WHITE, 0.88),
    'brand-text': moveUntil(voice, ink, 4.6, [...pages, soft, softer]),
    'brand-edge': moveUntil(voice, ink, 3.1, [...pages, soft, softer]),
    'brand-soft': soft,
    'brand-softer': softer,
    'brand-line': mix(colors.primary, canvas, pale ? 0.7 : light ? 0.35 : 0.55),
    deep,
    'deep-ink': deepInk,
    'deep-muted': moveUntil(mix(deepInk, deep, 0.66), deepInk, 4.6, [deep]),
    'deep-line': mix(deepInk, deep, 0.2),
    accent: colors.accent,
    'accent-ink': inkOn(colors.accent),
    'hero-ink-2': moveUntil(scene(0.8), brandInk, 4.6, [brand]),
    'art-sky-2': scene(0.07),
    'art-sky-3': scene(0.14),
    'art-far': scene(0.3),
    'art-mid': scene(0.46),
    'art-near': scene(0.68),
    'art-hull': WHITE,
    'art-hull-shade': mix(brand, WHITE, 0.16),
    'art-hull-line': mix(brand, WHITE, 0.4),
    'art-dark': deep,
    focus: moveUntil(voice, ink, 3.1, [...pages, soft]),
    // Depth is tinted with the ink on a light page and sinks into the page on a dark one.
    shadow: channels(light ? ink : mix(canvas, BLACK, 0.3)).join(' '),
    ...statusTokens(light, canvas, surface, sunken),
  }
}

/** The fixed status colours. On a saturated page an ink may need a step towards its pole; on a dark page grounds sink and inks lighten. */
function statusTokens(light: boolean, canvas: string, surface: string, sunken: string) {
  const entries = (Object.keys(STATUS) as StatusName[]).flatMap((name) => {
    const fixed = STATUS[name]
    const soft = light ? fixed.soft : mix(fixed.ink, canvas, 0.32)
    const voice = light ? fixed.ink : mix(fixed.line, fixed.ink, 0.7)
    return [
      [name, moveUntil(voice, light ? BLACK : WHITE, 4.6, [soft, canvas, surface, sunken])],
      [`${name}-soft`, soft],
      [`${name}-line`, light ? fixed.line : mix(fixed.line, canvas, 0.4)],
      [`${name}-solid`, fixed.ink],
    ]
  })
  return Object.fromEntries(entries) as Record<`${StatusName}` | `${StatusName}-${'soft' | 'line' | 'solid'}`, string>
}

/** Two tokens that stand on each other, and the least ratio they must have. */
type LegibilityPair = { ink: BrandToken; ground: BrandToken; least: number; what: string }

/** Every pair the look puts on top of each other; the brand editor lists them and a test measures them on random brands. */
export const LEGIBILITY: readonly LegibilityPair[] = [
  ...(['canvas', 'surface', 'sunken', 'muted-bg', 'brand-soft', 'brand-softer'] as const).map((ground) => ({
    ink: 'ink' as const,
    ground,
    least: 4.5,
    what: 'Text',
  })),
  ...(['canvas', 'surface', 'sunken', 'muted-bg'] as const).map((ground) => ({
    ink: 'ink-muted' as const,
    ground,
    least: 4.5,
    what: 'Secondary text',
  })),
  ...(['canvas', 'surface', 'sunken', 'brand-soft', 'brand-softer'] as const).map((ground) => ({
    ink: 'brand-text' as const,
    ground,
    least: 4.5,
    what: 'Links and quiet buttons',
  })),
  { ink: 'brand-ink', ground: 'brand', least: 4.5, what: 'Text on buttons' },
  { ink: 'brand-ink', ground: 'brand-hover', least: 4.5, what: 'Text on buttons under the pointer' },
  { ink: 'hero-ink-2', ground: 'brand', least: 4.5, what: 'Second text on the opening picture' },
  { ink: 'deep-ink', ground: 'deep', least: 4.5, what: 'Text of the footer' },
  { ink: 'deep-muted', ground: 'deep', least: 4.5, what: 'Secondary text of the footer' },
  ...(['canvas', 'surface', 'brand-soft'] as const).map((ground) => ({
    ink: 'brand-edge' as const,
    ground,
    least: 3,
    what: 'Outline of what is chosen',
  })),
  ...(['canvas', 'surface', 'sunken'] as const).map((ground) => ({
    ink: 'line-control' as const,
    ground,
    least: 3,
    what: 'Edge of a field',
  })),
  ...(['canvas', 'surface', 'brand-soft'] as const).map((ground) => ({ ink: 'focus' as const, ground, least: 3, what: 'Focus ring' })),
  ...(['positive', 'warning', 'negative', 'info'] as const).flatMap((status) =>
    ([`${status}-soft`, 'canvas', 'surface'] as const).map((ground) => ({ ink: status, ground, least: 4.5, what: 'Status text' })),
  ),
]

const FALLBACK_FONTS = '"Instrument Sans","Instrument Sans Fallback","Helvetica Neue","Segoe UI",Arial,sans-serif'

/** A brand's font before the ones that are always there. Anything but letters, digits, spaces, hyphens and commas is dropped. */
export function fontStack(font: string): string {
  const named = font
    .split(',')
    .map((name) => name.replace(/[^A-Za-z0-9 -]/g, '').trim())
    .filter((name) => name !== '' && name !== 'Instrument Sans')
  return [...named.map((name) => `"${name}"`), FALLBACK_FONTS].join(',')
}

/** The tokens as one CSS rule, ready to stand in a style element: values are hex, numbers and quoted names, so nothing needs escaping. */
export function brandCss(tokens: BrandTokens, { selector = ':root', font = '' }: { selector?: string; font?: string } = {}): string {
  const { scheme, ...variables } = tokens
  const lines = Object.entries(variables).map(([name, value]) => `--${name}:${value}`)
  return `${selector}{color-scheme:${scheme};${lines.join(';')};--font:${fontStack(font)}}`
}

const KEY = /^[a-z0-9.-]{1,253}$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/**
 * The brand a request is for. `host` is a Host header or `location.host`; `query` is the value of `?brand=`, which counts on
 * localhost and on IP addresses only. A key that is no host name becomes "default".
 */
export function brandKey(host: string, query?: string | null): string {
  const name = hostName(host)
  if (name === '' || name === 'localhost' || IPV4.test(name) || name.includes(':')) return validKey(query?.trim().toLowerCase() ?? '')
  const labels = name.split('.')
  if (labels.length > 2 && labels[0] === 'www') return validKey(labels.slice(1).join('.'))
  return validKey(name)
}

/** Lower case, without port, trailing dot and the brackets of an IPv6 address. */
function hostName(host: string): string {
  const lower = host.trim().toLowerCase()
  if (lower.startsWith('[')) return lower.slice(1, lower.indexOf(']'))
  // More than one colon and no brackets is a bare IPv6 address, which has no port.
  const bare = lower.indexOf(':') === lower.lastIndexOf(':') ? lower.replace(/:\d*$/, '') : lower
  return bare.replace(/\.$/, '')
}

function validKey(key: string): string {
  return KEY.test(key) ? key : DEFAULT_BRAND_KEY
}

/** A logo of our own marks is a sign that stands beside the name; any other one stands in its place. */
export function isMark(logo: string): boolean {
  return logo.startsWith('/marks/')
}
