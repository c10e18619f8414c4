import { useQuery } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import { keys } from './keys.ts'

/** The brands that this administrator looks after, and their names by key. */
export function useBrands() {
  const { data, error } = useQuery({ queryKey: [keys.brands], queryFn: ({ signal }) => api.listBrands(undefined, { signal }) })
  return { data, error, nameOf: (key: string): string => data?.find((brand) => brand.key === key)?.name ?? key }
}
