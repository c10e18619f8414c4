/** The sign of a brand in the browser's tab. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { deriveBrand, isMark } from '@passerelle/contracts/rules/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { escapeHtml } from '@passerelle/contracts/rules/letter'

/** Where the sign is a file, or the picture itself. */
export type Favicon = { file: string } | { svg: string }

/** A mark is its own sign; without a logo it is the built-in mark in the brand's colours; beside a wide logo it is the first letter. */
export function faviconOf(brand: Brand | null): Favicon {
  const { name, logo, theme } = brand ?? defaultBrand
  if (isMark(logo)) return { file: logo }
  const colours = deriveBrand(theme)
  const [letter = ''] = name.trim().toUpperCase()
  const drawing = logo
    ? `<rect width="40" height="40" rx="8" fill="${colours.brand}"/><text x="20" y="29" text-anchor="middle" font-family="Arial,sans-serif" font-size="26" font-weight="700" fill="${colours['brand-ink']}">${escapeHtml(letter)}</text>`
    : `<style>path{fill:${colours.deep}}@media(prefers-color-scheme:dark){path{fill:#fff}}</style><circle cx="13" cy="20" r="10" fill="none" stroke="${colours['brand-edge']}" stroke-width="5"/><path d="M25 17.5h15v5H25z"/>`
  return { svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><title>${escapeHtml(name)}</title>${drawing}</svg>` }
}
