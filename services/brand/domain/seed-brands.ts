/** The brand that is always there, and two more looks for trying host names on one machine. */
import type { Brand } from '@passerelle/contracts/http/brand'

export const defaultBrand: Brand = {
  name: 'Passerelle',
  domain: 'default',
  logo: '',
  theme: { primary: '#0f766e', secondary: '#0f2f35', accent: '#f4b34c', background: '#f7f9f8', text: '#10201e', font: '' },
  contact: { email: 'bonjour@passerelle.example', phone: '+33 1 84 80 00 00', address: '12 quai de la Seine, 75019 Paris, France' },
  social: { facebook: '', twitter: '', instagram: '' },
}

export const sampleBrands: readonly Brand[] = [
  {
    name: 'Atlas Voyages',
    domain: 'atlas.example',
    logo: '',
    theme: { primary: '#a8452a', secondary: '#33241d', accent: '#e3a63f', background: '#faf5ec', text: '#2a1d16', font: '' },
    contact: { email: 'contact@atlas.example', phone: '+33 1 84 80 00 10', address: '4 rue de Crimée, 75019 Paris, France' },
    social: { facebook: '', twitter: '', instagram: '' },
  },
  {
    name: 'Aurora Air',
    domain: 'aurora.example',
    logo: '',
    theme: { primary: '#ffd60a', secondary: '#1d1d3b', accent: '#ff6b5e', background: '#ffffff', text: '#17171f', font: '' },
    contact: { email: 'hello@aurora.example', phone: '+33 1 84 80 00 20', address: '9 avenue Jean Jaurès, 75019 Paris, France' },
    social: { facebook: '', twitter: '', instagram: '' },
  },
]
