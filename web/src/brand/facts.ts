/** What the texts of the website say of the agency and its terms: each figure once, so that no two pages of one kind can drift apart. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { useMemo } from 'react'
import type { Facts } from '../lib/rich-text.ts'
import { useBrand } from './BrandProvider.tsx'

/** As the agency's documents word them. */
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

export function factsOf({ name, contact }: Pick<Brand, 'name' | 'contact'>): Facts {
  return { ...FIGURES, brand: name, email: contact.email, phone: contact.phone, address: contact.address }
}

export function useFacts(): Facts {
  const brand = useBrand()
  return useMemo(() => factsOf(brand), [brand])
}
