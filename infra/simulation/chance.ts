/** Seeded chance: the same seed draws the same values, on every machine. */

export type Chance = {
  /** At least 0 and below 1. */
  next(): number
  /** A whole number, at least `from` and below `to`. */
  int(from: number, to: number): number
  /** True in this share of cases. */
  is(share: number): boolean
  pick<T>(list: readonly T[]): T
  bytes(size: number): Buffer
}

/** The sfc32 generator: 128 bits of state, quick, and good enough to schedule by. */
export function chanceOf(seed: number, stream = 0): Chance {
  let [a, b, c, d] = [seed | 0, stream | 0, 0x9e3779b9 | 0, 1]
  const draw = () => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let i = 0; i < 16; i++) draw()
  const next = () => draw() / 2 ** 32
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from))
  return {
    next,
    int,
    is: (share) => next() < share,
    pick: (list) => list[int(0, list.length)] as (typeof list)[number],
    bytes: (size) => Buffer.from(Array.from({ length: size }, () => int(0, 256))),
  }
}
