import type { Brand } from '@passerelle/contracts/http/brand'

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
