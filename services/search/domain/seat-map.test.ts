import { AppError } from '@passerelle/contracts/error'
import { SeatMap } from '@passerelle/contracts/http/search'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { normaliseOffer } from './normalise.ts'
import { resolveSeats } from './quote.ts'
import { seatMapsOf, unknownElements } from './seat-map.ts'
import { supplierOffer } from './supplier.fixture.ts'
import type { SupplierSeatElement, SupplierSeatMap } from './supplier.ts'

const known = normaliseOffer(supplierOffer(), 'test')
const free = (designator: string): SupplierSeatElement => ({
  type: 'seat',
  designator,
  name: 'Window seat',
  disclosures: ['Do not seat children in exit row seats'],
  available_services: [{ id: `ase_${designator}`, passenger_id: 'pas_0000Ap1', total_amount: '20.00', total_currency: 'EUR' }],
})
const taken = (designator: string): SupplierSeatElement => ({ type: 'seat', designator, name: '', disclosures: [], available_services: [] })
const row = (...sections: SupplierSeatElement[][]) => ({ sections: sections.map((elements) => ({ elements })) })

/** As airlines send them: two aisles' worth of sections, rows of doors and galleys, an upper deck, empty and missing parts. */
const mapOf = (slice_id: string, segment_id: string): SupplierSeatMap => ({
  slice_id,
  segment_id,
  cabins: [
    {
      deck: 0,
      cabin_class: 'economy',
      wings: { first_row_index: 1, last_row_index: 2 },
      rows: [
        row([{ type: 'lavatory' }, { type: 'galley' }], [{ type: 'exit_row' }]),
        row([free('11A'), taken('11B'), { type: 'empty' }], [free('11D'), { type: 'restricted_seat_general', designator: '11E' }]),
        row([free('12A'), taken('12B'), free('12C')], []),
        row([{ type: 'bassinet', designator: null, available_services: null }, { type: 'closet' }], [{ type: 'stairs' }]),
      ],
    },
    { deck: 1, cabin_class: 'business', wings: null, rows: [row([free('1A')], [free('1K')])] },
  ],
})
const real = (): SupplierSeatMap[] => [mapOf('sli_0000As1', 'seg_0000Ag1'), mapOf('sli_0000As2', 'seg_0000Ag2')]
const withElements = (...elements: unknown[]) => [
  { ...mapOf('sli_0000As1', 'seg_0000Ag1'), cabins: [{ rows: [row(elements as SupplierSeatElement[])] }] },
]
const firstRow = (maps: readonly SupplierSeatMap[]) =>
  seatMapsOf(known, maps, 23)[0]?.cabins[0]?.rows[0]?.sections[0]?.elements.map(({ kind, designator }) => designator ?? kind)

describe('odd seat maps', () => {
  it('an element without a type, of an unknown type or of none at all is empty space where it stands', () => {
    const maps = withElements(free('11A'), {}, { type: 'swimming_pool' }, null, 'seat', { type: 'galley' }, free('11F'))
    expect(firstRow(maps)).toEqual(['11A', 'empty', 'empty', 'empty', 'empty', 'galley', '11F'])
    expect(unknownElements(maps)).toBe(4)
    expect(unknownElements(real())).toBe(0)
  })

  it('a seat without a designator, or with one that cannot be one, is empty space', () => {
    expect(firstRow(withElements(free('11A'), { type: 'seat' }, free(''), { ...free('1'), designator: 11 }))).toEqual([
      '11A',
      'empty',
      'empty',
      'empty',
    ])
  })

  it('missing rows, sections, cabins and elements leave out no more than themselves', () => {
    const [outbound, back] = real()
    const cabins = [{ cabin_class: 'first' }, { rows: [{}, { sections: null }, row([free('9A')])] }, null] as never
    const maps = [
      { ...outbound, cabins },
      { ...back, cabins: null },
    ] as SupplierSeatMap[]
    expect(seatMapsOf(known, maps, 23)).toMatchObject([
      { slice_id: 'sli_1', cabins: [{ rows: [{ number: null }, { number: null }, { number: 9 }] }] },
    ])
  })

  it('a map that shows no seat is no map', () => {
    expect(seatMapsOf(known, withElements({ type: 'galley' }, {}), 23)).toEqual([])
  })

  it('disclosures and names that are no texts are left out', () => {
    const [map] = seatMapsOf(
      known,
      withElements({ ...free('11A'), disclosures: 'none', name: 7 }, { ...free('11B'), disclosures: [1, 'Cold', null] }),
      23,
    )
    const seats = map?.cabins[0]?.rows[0]?.sections[0]?.elements
    expect(seats?.map(({ name, disclosures }) => [name, disclosures])).toEqual([
      [null, []],
      ['Window seat', ['Cold']],
    ])
  })
})

/** Numbers from 0 to 1 that are the same in every run. */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const STRANGE = [
  undefined,
  null,
  0,
  -1,
  1.5,
  Number.NaN,
  true,
  '',
  'x',
  '999999999999999999999A',
  [],
  {},
  [null],
  [[]],
  { length: 3 },
] as const

/** Takes one value somewhere in the tree away, or puts something strange in its place. */
function mutate(tree: unknown, random: () => number): void {
  const places: { holder: Record<string, unknown>; key: string }[] = []
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push({ holder: value as Record<string, unknown>, key })
      walk((value as Record<string, unknown>)[key])
    }
  }
  walk(tree)
  const place = places[Math.floor(random() * places.length)]
  if (!place) return
  if (random() < 0.3) delete place.holder[place.key]
  else place.holder[place.key] = STRANGE[Math.floor(random() * STRANGE.length)]
}

describe('seat maps that were damaged at random', () => {
  it.each([1, 2, 3, 4])('ASRCH-26: never break the answer, and seats are found or refused (seed %i)', (seed) => {
    const random = randomOf(seed)
    for (let round = 0; round < 150; round++) {
      const maps = real()
      const damages = 1 + Math.floor(random() * 12)
      for (let n = 0; n < damages; n++) mutate(maps, random)
      const answer = seatMapsOf(known, maps, 23)
      expect(z.array(SeatMap).safeParse(answer).error).toBeUndefined()
      expect(unknownElements(maps)).toBeGreaterThanOrEqual(0)
      try {
        resolveSeats(known, maps, [{ passengerId: 'pas_1', seatId: '12A', segmentId: 'seg_1_1' }])
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }
  })
})
