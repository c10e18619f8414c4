/** One fixed dark colour an airline, so that its tile is the same everywhere; white stands on each at 7:1 or more. */

const KNOWN: Record<string, string> = {
  AF: '#1b2a6b',
  DL: '#8f1733',
  FI: '#10366b',
  B6: '#0a4aa0',
  BA: '#1f2f66',
  LH: '#0b2545',
  KL: '#00628e',
  N0: '#7a2e1d',
  TP: '#1f6b3a',
  UA: '#12439b',
  AA: '#36495a',
  CX: '#00595c',
  AT: '#9b1c2f',
}

const OTHERS = ['#36495a', '#5b3a6e', '#1f5f4a', '#7a3b1d', '#1d4e79', '#6b2737', '#4a5a1f', '#3d3f7a']

/** `code` is the airline's two-character code; without one the first of the other colours. */
export function airlineColour(code: string | null | undefined): string {
  if (!code) return OTHERS[0]!
  const hash = [...code].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)
  return KNOWN[code] ?? OTHERS[hash % OTHERS.length]!
}
