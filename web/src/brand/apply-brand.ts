import type { Brand } from '@passerelle/contracts/http/brand'
import { deriveBrand, fontStack } from '@passerelle/contracts/rules/brand'

/** Sets the brand's variables on `target`; nothing renders again. */
export function applyBrand(brand: Brand, target: HTMLElement): void {
  const { scheme, ...variables } = deriveBrand(brand.theme)
  for (const [name, value] of Object.entries(variables)) target.style.setProperty(`--${name}`, value)
  target.style.setProperty('--font', fontStack(brand.theme.font))
  target.style.setProperty('color-scheme', scheme)
}
