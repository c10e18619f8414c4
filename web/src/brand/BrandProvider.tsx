/** The brand of this page: written into it by the gateway, or read once from the server, or the default one. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'

type BrandState = { brand: Brand; loading: boolean; error: string | null }

const BrandContext = createContext<BrandState | null>(null)

export function useBrandState(): BrandState {
  const state = use(BrandContext)
  if (!state) throw new Error('useBrand must be used within a BrandProvider')
  return state
}

export function useBrand(): Brand {
  return useBrandState().brand
}

/** The brand that the gateway wrote into the page, if it did. */
export function injectedBrand(page: Pick<Document, 'getElementById'>): Brand | null {
  try {
    return JSON.parse(page.getElementById('brand')?.textContent ?? 'null') as Brand | null
  } catch {
    return null
  }
}

type Props = { children: ReactNode; injected: Brand | null; location: Pick<Location, 'host' | 'search'> }

export function BrandProvider({ children, injected, location }: Props) {
  const [state, setState] = useState<BrandState>({ brand: injected ?? defaultBrand, loading: injected === null, error: null })
  const { host, search } = location

  useEffect(() => {
    if (injected) return
    let left = false
    const show = (next: BrandState) => !left && setState(next)
    import('./load-brand.ts')
      .then(({ loadBrandOfPage }) => loadBrandOfPage({ host, search }))
      .then(
        (brand) => show({ brand: brand ?? defaultBrand, loading: false, error: null }),
        (cause: unknown) => {
          const error = cause instanceof Error ? cause.message : String(cause)
          // biome-ignore lint/suspicious/noConsole: the visitor sees the default brand; operators see why
          console.error(error)
          show({ brand: defaultBrand, loading: false, error })
        },
      )
    return () => {
      left = true
    }
  }, [injected, host, search])

  return <BrandContext value={state}>{children}</BrandContext>
}
