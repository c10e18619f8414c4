/** What a page shows before its scripts have run: rendered at build with placeholders, filled with the values of this host's brand. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { escapeHtml } from '@passerelle/contracts/rules/letter'
import { z } from 'zod'

/** `plain`: with the built-in mark; `logo`: with a picture of the brand's own. Empty where a screen has none. */
export const Shells = z.object({ plain: z.string(), logo: z.string() })
export type Shells = z.infer<typeof Shells>

/** As the website's build writes them (web/pages.ts). One pass over all, so that no value is searched for another placeholder. */
const PLACEHOLDER = /tel:\+99900000001|\+99900000001|__BRAND__|__EMAIL__|__ADDRESS__|\/__LOGO__/g

/** The pages whose texts begin with a prefix of their own; other texts may stand on any page. */
const PAGE_OF: Readonly<Record<string, string>> = { home: '/', faq: '/faq' }

/** Empty for a page where a brand has texts of its own, which come with the scripts. */
export function filledShell({ plain, logo }: Shells, brand: Brand, path: string): string {
  const pages = Object.keys(brand.content.texts).map((name) => (name.includes('.') ? PAGE_OF[name.split('.')[0] ?? ''] : undefined))
  if (pages.some((page) => page === undefined || page === path)) return ''
  const { email, phone, address } = brand.contact
  const values: Record<string, string> = {
    'tel:+99900000001': `tel:${phone.replace(/[^+\d]/g, '')}`,
    '+99900000001': phone,
    __BRAND__: brand.name,
    __EMAIL__: email,
    __ADDRESS__: address,
    '/__LOGO__': brand.logo,
  }
  return (brand.logo ? logo : plain).replace(PLACEHOLDER, (placeholder) => escapeHtml(values[placeholder] ?? ''))
}
