/** Aircraft types, with what the schedule and the seat maps need to know of them. */

export type Aircraft = { id: string; name: string; iata_code: string }

export type AircraftType = Aircraft & {
  body: 'regional' | 'narrow' | 'twin-2-4-2' | 'twin-3-3-3' | 'twin-3-4-3' | 'double-deck'
  /** Longest flight in km. */
  range: number
  kgPerSeatKm: number
}

const type = (code: string, name: string, body: AircraftType['body'], range: number, kgPerSeatKm: number): AircraftType => ({
  id: `arc_${code.toLowerCase()}`,
  name,
  iata_code: code,
  body,
  range,
  kgPerSeatKm,
})

export const aircraftTypes: AircraftType[] = [
  type('E90', 'Embraer 190', 'regional', 3_900, 0.098),
  type('CR9', 'Bombardier CRJ900', 'regional', 2_600, 0.104),
  type('AT7', 'ATR 72', 'regional', 1_300, 0.07),
  type('223', 'Airbus A220-300', 'narrow', 6_000, 0.072),
  type('319', 'Airbus A319', 'narrow', 5_800, 0.088),
  type('320', 'Airbus A320', 'narrow', 5_500, 0.082),
  type('32N', 'Airbus A320neo', 'narrow', 5_900, 0.07),
  type('321', 'Airbus A321', 'narrow', 5_300, 0.08),
  type('32Q', 'Airbus A321neo', 'narrow', 7_200, 0.068),
  type('738', 'Boeing 737-800', 'narrow', 5_600, 0.081),
  type('7M8', 'Boeing 737 MAX 8', 'narrow', 6_300, 0.071),
  type('752', 'Boeing 757-200', 'narrow', 7_000, 0.09),
  type('332', 'Airbus A330-200', 'twin-2-4-2', 12_800, 0.088),
  type('333', 'Airbus A330-300', 'twin-2-4-2', 11_200, 0.084),
  type('339', 'Airbus A330-900', 'twin-2-4-2', 13_200, 0.073),
  type('359', 'Airbus A350-900', 'twin-3-3-3', 15_700, 0.07),
  type('35K', 'Airbus A350-1000', 'twin-3-3-3', 16_500, 0.072),
  type('788', 'Boeing 787-8', 'twin-3-3-3', 13_500, 0.076),
  type('789', 'Boeing 787-9', 'twin-3-3-3', 15_200, 0.073),
  type('78X', 'Boeing 787-10', 'twin-3-3-3', 11_900, 0.07),
  type('772', 'Boeing 777-200ER', 'twin-3-4-3', 14_200, 0.094),
  type('77W', 'Boeing 777-300ER', 'twin-3-4-3', 14_600, 0.09),
  type('388', 'Airbus A380-800', 'double-deck', 15_000, 0.1),
]

const byCode = new Map(aircraftTypes.map((aircraft) => [aircraft.iata_code, aircraft]))

export const aircraftOf = (code: string): AircraftType => {
  const aircraft = byCode.get(code)
  if (!aircraft) throw new Error(`no aircraft ${code}`)
  return aircraft
}

export const publicAircraft = ({ id, name, iata_code }: AircraftType): Aircraft => ({ id, name, iata_code })

const publicTypes = new Map(aircraftTypes.map((aircraft) => [aircraft.iata_code, publicAircraft(aircraft)]))
export const aircraftResource = (code: string): Aircraft => publicTypes.get(code)!
