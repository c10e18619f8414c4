import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { describe, expect, it, vi } from 'vitest'
import { keyToLoad, loadBrand } from './load-brand.ts'

const answering = (response: Response) => vi.fn<typeof fetch>(async () => response)

describe('keyToLoad', () => {
  const at = (host: string, search = '') => ({ host, search })

  it('BRAND-01: a page without one asks for the brand of its host, unless that is the default one', () => {
    expect(keyToLoad(at('www.atlas.example'))).toBe('atlas.example')
    expect(keyToLoad(at('localhost:8080', '?brand=atlas.example'))).toBe('atlas.example')
    expect(keyToLoad(at('localhost:8080'))).toBeNull()
  })
})

describe('loadBrand', () => {
  it('BRAND-01: asks once for the brand of its key', async () => {
    const fetcher = answering(Response.json({ ...defaultBrand, name: 'Atlas' }))
    expect(await loadBrand('atlas.example', fetcher)).toMatchObject({ name: 'Atlas' })
    expect(fetcher).toHaveBeenCalledTimes(1)
    expect(fetcher.mock.calls[0]?.[0]).toBe('/api/brands/atlas.example')
  })

  it('BRAND-10: no such brand is silent', async () => {
    expect(await loadBrand('x.example', answering(new Response('{}', { status: 404 })))).toBeNull()
  })

  it('BRAND-10: any other failure reads "Failed to load brand: {status text}"', async () => {
    const failing = answering(new Response('{"message":"no"}', { status: 500, statusText: 'Internal Server Error' }))
    await expect(loadBrand('x.example', failing)).rejects.toThrow('Failed to load brand: Internal Server Error')
  })
})
