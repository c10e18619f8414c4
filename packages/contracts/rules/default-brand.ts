/** The brand that is shown while another one loads, when loading fails and on hosts without a brand of their own. */
import type { Brand } from '../http/brand.ts'

/** Names the brand of every host that has none of its own. */
export const DEFAULT_BRAND_KEY = 'default'

export const defaultBrand: Brand = {
  name: 'Passerelle',
  domain: DEFAULT_BRAND_KEY,
  // Empty: the built-in mark and the name.
  logo: '',
  theme: { primary: '#0f766e', secondary: '#0f2f35', accent: '#f4b34c', background: '#f7f9f8', text: '#10201e', font: 'Instrument Sans' },
  contact: { email: 'hello@passerelle.example', phone: '+33 1 99 00 42 19', address: 'Quai de la Loire, 75019 Paris' },
  social: { facebook: '', twitter: '', instagram: '' },
  content: { waitTime: true, promotions: true, partnerPage: true, newsletter: true, conversionId: '', texts: {} },
}
