/** Two more brands beside the default one, for trying host names on one machine, each with a sender of its own. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import type { Seed } from './brand-record.ts'

const otherBrands: readonly Brand[] = [
  {
    name: 'Atlas Voyages',
    domain: 'atlas.example',
    logo: '/marks/atlas.svg',
    theme: { primary: '#a8452a', secondary: '#33241d', accent: '#e3a63f', background: '#faf5ec', text: '#2a1d16', font: '' },
    contact: { email: 'contact@atlas.example', phone: '+33 1 84 80 00 10', address: '4 rue de Crimée, 75019 Paris, France' },
    social: { facebook: '', twitter: '', instagram: '' },
    content: {
      ...defaultBrand.content,
      texts: {
        'home.title': 'The long way, made short.',
        'home.words': 'Marrakech, Fez, Dakar and everywhere between. The total you see is the total you pay.',
        'home.currency': 'EUR',
        'home.fareRoute': 'Paris to Marrakech',
        'home.fareAirline': 'Royal Air Maroc',
        'home.fareAirlineCode': 'AT',
        'home.fareBase': '391',
        'home.fareTaxes': '147',
      },
    },
  },
  {
    name: 'Aurora Air',
    domain: 'aurora.example',
    logo: '/marks/aurora.svg',
    theme: { primary: '#ffd60a', secondary: '#1d1d3b', accent: '#ff6b5e', background: '#ffffff', text: '#17171f', font: '' },
    contact: { email: 'hello@aurora.example', phone: '+33 1 84 80 00 20', address: '9 avenue Jean Jaurès, 75019 Paris, France' },
    social: { facebook: '', twitter: '', instagram: '' },
    content: {
      ...defaultBrand.content,
      texts: {
        'home.title': 'See more. Pay what it says.',
        'home.words': 'Search the airlines’ own fares, pay the total you see, and reach a person at any hour.',
      },
    },
  },
]

const sender = (fromName: string, proved: string, replyTo = '') => ({ fromName, fromAddress: proved, replyTo, proved, setAt: 0 })

/** Their addresses are of names that nobody has, so there is nobody who could prove them. */
export const sampleSeeds: readonly Seed[] = [defaultBrand, ...otherBrands].map((brand) => {
  const { email } = brand.contact
  const senders: Record<string, Seed['sender']> = {
    default: sender(brand.name, 'bookings@passerelle.example', email),
    'atlas.example': sender(brand.name, 'voyages@atlas.example', email),
    'aurora.example': sender(brand.name, email),
  }
  return { brand, sender: senders[brand.domain] }
})
