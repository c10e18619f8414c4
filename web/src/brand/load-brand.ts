/** The brand of a page that the gateway has not given one. A chunk of its own, because nearly every page has one. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { brandKey } from '@passerelle/contracts/rules/brand'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { applyBrand } from './apply-brand.ts'

/** The key to ask the server for; null when the host has the default brand. */
export function keyToLoad(location: Pick<Location, 'host' | 'search'>): string | null {
  const key = brandKey(location.host, new URLSearchParams(location.search).get('brand'))
  return key === DEFAULT_BRAND_KEY ? null : key
}

/** Loads the brand and gives the page its colours; null: the default one stays. */
export async function loadBrandOfPage(location: Pick<Location, 'host' | 'search'>): Promise<Brand | null> {
  const key = keyToLoad(location)
  const brand = key === null ? null : await loadBrand(key)
  if (brand) applyBrand(brand, document.documentElement)
  return brand
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
