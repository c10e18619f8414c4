import type { Brand } from '@passerelle/contracts/http/brand'
import { brandKey, DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/brand'

/** The key to ask the server for, once, at the start; null when the gateway wrote the brand into the page or it is the default one. */
export function keyToLoad(injected: Brand | null, location: Pick<Location, 'host' | 'search'>): string | null {
  const key = brandKey(location.host, new URLSearchParams(location.search).get('brand'))
  return injected === null && key !== DEFAULT_BRAND_KEY ? key : null
}

/** The brand with this key, or null when there is none. Fails with "Failed to load brand: {status text}". */
export async function loadBrand(key: string, fetcher: typeof fetch = fetch): Promise<Brand | null> {
  const response = await fetcher(`/api/brands/${encodeURIComponent(key)}`, {
    credentials: 'include',
    headers: { accept: 'application/json' },
  })
  if (response.status === 404) return null
  if (!response.ok) throw new Error(`Failed to load brand: ${response.statusText}`)
  return (await response.json()) as Brand
}
