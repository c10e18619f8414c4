/** The list of airports is a file of its own: it comes with the form, not with the first paint, and is kept for the visit. */
import type { Airport } from '@passerelle/contracts/rules/airports'
import { useEffect, useState } from 'react'

type AirportSearch = {
  find: (query: string) => Airport[]
  byCode: (code: string) => Airport | undefined
  label: (airport: Airport) => string
}

export type AirportsState = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; search: AirportSearch }

let loaded: AirportSearch | null = null

async function load(): Promise<AirportSearch> {
  if (loaded) return loaded
  const { searchAirports, airportByCode, airportLabel } = await import('@passerelle/contracts/rules/airports')
  loaded = { find: (query) => searchAirports(query), byCode: (code) => airportByCode(code), label: airportLabel }
  return loaded
}

export function useAirports(): AirportsState {
  const [state, setState] = useState<AirportsState>(() => (loaded ? { status: 'ready', search: loaded } : { status: 'loading' }))
  useEffect(() => {
    let left = false
    load().then(
      (search) => !left && setState({ status: 'ready', search }),
      () => !left && setState({ status: 'failed' }),
    )
    return () => {
      left = true
    }
  }, [])
  return state
}
