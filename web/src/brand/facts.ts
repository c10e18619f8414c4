/** What the texts of the website say of the agency and its terms: each figure once, so that no two pages of one kind can drift apart. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { useMemo } from 'react'
import type { Facts } from '../lib/rich-text.ts'
import { useBrand } from './BrandProvider.tsx'

/** As the agency's documents word them; a text of the brand with the same name takes a figure's place. */
export const FIGURES = {
  freeCancellation: '24 hours',
  requestTime: '24-48 hours',
  refundTime: '7-30 business days',
  usualRefundTime: '7-14 business days',
  emailReply: '24 hours',
  contactReply: '2-4 hours',
  expertHours: '9AM-8PM CET',
  supportHours: '24/7',
  waitTime: 'Less than 30 seconds',
  retention: '7 years',
  passportValidity: '6 months',
  arriveDomestic: '2 hours',
  arriveInternational: '3 hours',
  arrivePeak: '30-60 minutes',
  checkIn: '24-48 hours',
  groupFrom: '10',
} as const

type Named = Pick<Brand, 'name' | 'contact' | 'content'>

export function factsOf({ name, contact, content }: Named): Facts {
  const figures = Object.entries(FIGURES).map(([figure, words]) => [figure, content.texts[figure] || words])
  return { ...Object.fromEntries(figures), brand: name, email: contact.email, phone: contact.phone, address: contact.address }
}

export function useFacts(): Facts {
  const brand = useBrand()
  return useMemo(() => factsOf(brand), [brand])
}

/** The brand's own words for what `name` stands for, as paragraphs of plain text; null: the built-in ones. */
export function useOwnText(name: string): string[] | null {
  const text = useBrand().content.texts[name]?.trim()
  return text ? text.split(/\n\s*\n/) : null
}
