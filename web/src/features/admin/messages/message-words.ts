import type { AdminMessage, InquiryType } from '@passerelle/contracts/http/messages'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'

const INQUIRIES: Record<InquiryType, string> = {
  booking: 'New booking',
  existing: 'Existing booking',
  cancellation: 'Cancellation',
  group: 'Group travel',
  business: 'Business travel',
  special: 'Special assistance',
  technical: 'Technical problem',
  feedback: 'Feedback',
  other: 'Something else',
}

/** What a message is about: its subject, or its type. */
export function topicOf({ subject, inquiryType }: Pick<AdminMessage, 'subject' | 'inquiryType'>): string {
  return subject ?? (inquiryType ? INQUIRIES[inquiryType] : 'Message')
}

export function sourceOf({ from, brandKey }: Pick<AdminMessage, 'from' | 'brandKey'>): string {
  return `${from === 'contact' ? 'Contact page' : 'Help centre'}, ${brandKey === DEFAULT_BRAND_KEY ? 'default brand' : brandKey}`
}
