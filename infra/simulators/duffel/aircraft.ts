/** Aircraft types, with what the schedule and the seat maps need to know of them. */

export type AircraftType = {
  code: string
  name: string
  body: 'regional' | 'narrow' | 'twin-2-4-2' | 'twin-3-3-3' | 'twin-3-4-3' | 'double-deck'
  /** Longest flight in km. */
  range: number
}

const table: [code: string, name: string, body: AircraftType['body'], range: number][] = [
  ['E90', 'Embraer 190', 'regional', 3_900],
  ['CR9', 'Bombardier CRJ900', 'regional', 2_600],
  ['AT7', 'ATR 72', 'regional', 1_300],
  ['223', 'Airbus A220-300', 'narrow', 6_000],
  ['319', 'Airbus A319', 'narrow', 5_800],
  ['320', 'Airbus A320', 'narrow', 5_500],
  ['32N', 'Airbus A320neo', 'narrow', 5_900],
  ['321', 'Airbus A321', 'narrow', 5_300],
  ['32Q', 'Airbus A321neo', 'narrow', 7_200],
  ['738', 'Boeing 737-800', 'narrow', 5_600],
  ['7M8', 'Boeing 737 MAX 8', 'narrow', 6_300],
  ['752', 'Boeing 757-200', 'narrow', 7_000],
  ['332', 'Airbus A330-200', 'twin-2-4-2', 12_800],
  ['333', 'Airbus A330-300', 'twin-2-4-2', 11_200],
  ['339', 'Airbus A330-900', 'twin-2-4-2', 13_200],
  ['359', 'Airbus A350-900', 'twin-3-3-3', 15_700],
  ['35K', 'Airbus A350-1000', 'twin-3-3-3', 16_500],
  ['788', 'Boeing 787-8', 'twin-3-3-3', 13_500],
  ['789', 'Boeing 787-9', 'twin-3-3-3', 15_200],
  ['78X', 'Boeing 787-10', 'twin-3-3-3', 11_900],
  ['772', 'Boeing 777-200ER', 'twin-3-4-3', 14_200],
  ['77W', 'Boeing 777-300ER', 'twin-3-4-3', 14_600],
  ['388', 'Airbus A380-800', 'double-deck', 15_000],
]
const byCode = new Map(table.map(([code, name, body, range]): [string, AircraftType] => [code, { code, name, body, range }]))

export const aircraftOf = (code: string): AircraftType => {
  const aircraft = byCode.get(code)
  if (!aircraft) throw new Error(`no aircraft ${code}`)
  return aircraft
}

export const isWide = (code: string): boolean => !['regional', 'narrow'].includes(aircraftOf(code).body)

export const aircraftResource = (code: string) => ({ id: `arc_${code.toLowerCase()}`, name: aircraftOf(code).name, iata_code: code })
