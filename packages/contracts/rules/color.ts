/** Arithmetic on sRGB colours written as #rgb or #rrggbb. Ratios are WCAG 2 contrast ratios. */

export const BLACK = '#000000'
export const WHITE = '#ffffff'

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

export function isHexColor(value: unknown): value is string {
  return typeof value === 'string' && HEX.test(value)
}

/** The three channels, 0-255. */
export function channels(hex: string): [number, number, number] {
  const long = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1)
  const value = Number.parseInt(long, 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function toHex(rgb: readonly number[]): string {
  const byte = (channel: number) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0')
  return `#${rgb.map(byte).join('')}`
}

/** `share` of `a` and the rest of `b`. */
export function mix(a: string, b: string, share: number): string {
  const other = channels(b)
  return toHex(channels(a).map((channel, index) => channel * share + other[index]! * (1 - share)))
}

/** Adds `amount` to every channel, clamped to 0-255. */
export function shift(hex: string, amount: number): string {
  return toHex(channels(hex).map((channel) => channel + amount))
}

/** Perceived lightness, 0 to 1: (0.299 R + 0.587 G + 0.114 B) / 255. */
export function lightness(hex: string): number {
  const [red, green, blue] = channels(hex)
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255
}

function luminance(hex: string): number {
  const linear = (channel: number) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const [red, green, blue] = channels(hex)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Text on a fill: black above lightness 0.5, else white; exactly 0.5 gives white. */
export function inkOn(fill: string): string {
  return lightness(fill) > 0.5 ? BLACK : WHITE
}

/** `color` moved towards `pole` in 2 % steps until it reaches `ratio` against every one of `grounds`; the pole when it never does. */
export function moveUntil(color: string, pole: string, ratio: number, grounds: readonly string[]): string {
  for (let step = 0; step <= 50; step++) {
    const tried = mix(color, pole, 1 - step / 50)
    if (grounds.every((ground) => contrast(tried, ground) >= ratio)) return tried
  }
  return pole
}
