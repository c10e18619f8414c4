import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { Providers } from './app/providers.tsx'
import { applyBrand, injectedBrand } from './brand/BrandProvider.tsx'
import './theme/global.css'

const brand = injectedBrand(document)
// A page that no gateway has dressed still needs colours before its first paint.
if (!document.getElementById('brand-css')?.textContent) applyBrand(brand ?? defaultBrand, document.documentElement)

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
const root = document.getElementById('root')
if (!root) throw new Error('The page has no place for the application')

createRoot(root).render(
  <Providers brand={brand} nonce={nonce}>
    <App />
  </Providers>,
)
