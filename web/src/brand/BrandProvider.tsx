/** The brand of this page: written into it by the gateway, or read once from the server, or the default one. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { deriveBrand, fontStack } from '@passerelle/contracts/rules/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { keyToLoad, loadBrand } from './load-brand.ts'

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

/** Sets the brand's variables on `target`; nothing renders again. */
export function applyBrand(brand: Brand, target: HTMLElement): void {
  const { scheme, ...variables } = deriveBrand(brand.theme)
  for (const [name, value] of Object.entries(variables)) target.style.setProperty(`--${name}`, value)
  target.style.setProperty('--font', fontStack(brand.theme.font))
  target.style.setProperty('color-scheme', scheme)
}

type Props = { children: ReactNode; injected: Brand | null; location: Pick<Location, 'host' | 'search'> }

export function BrandProvider({ children, injected, location }: Props) {
  const key = keyToLoad(injected, location)
  const [state, setState] = useState<BrandState>({ brand: injected ?? defaultBrand, loading: key !== null, error: null })

  useEffect(() => {
    if (key === null) return
    let left = false
    loadBrand(key).then(
      (brand) => {
        if (left) return
        if (brand) applyBrand(brand, document.documentElement)
        setState({ brand: brand ?? defaultBrand, loading: false, error: null })
      },
      (cause: unknown) => {
        if (left) return
        const error = cause instanceof Error ? cause.message : String(cause)
        // biome-ignore lint/suspicious/noConsole: the visitor sees the default brand; operators see why
        console.error(error)
        setState({ brand: defaultBrand, loading: false, error })
      },
    )
    return () => {
      left = true
    }
  }, [key])

  return <BrandContext value={state}>{children}</BrandContext>
}
