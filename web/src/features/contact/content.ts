import type { InquiryType } from '@passerelle/contracts/http/messages'

/** What a message can be about, in the order of the list. */
export const INQUIRY_TYPES: readonly (readonly [InquiryType, string])[] = [
  ['booking', 'New booking'],
  ['existing', 'Existing booking'],
  ['cancellation', 'Cancellation'],
  ['group', 'Group travel'],
  ['business', 'Business travel'],
  ['special', 'Special assistance'],
  ['technical', 'Technical problem'],
  ['feedback', 'Feedback'],
  ['other', 'Other'],
]

/** The four questions that the page answers itself; rich text. */
export const ASKED_MOST = [
  ['When do I get my refund?', 'Refunds take {usualRefundTime} and go back to the card you paid with.'],
  [
    'Can I change the date of my flight?',
    'If the fare is changeable, yes. Write with the reference and the new date: we tell you the difference first.',
  ],
  [
    'When should I be at the airport?',
    '{arriveDomestic} before a domestic flight, {arriveInternational} before an international one; at peak times {arrivePeak} more.',
  ],
  ['Do you book for groups?', 'Yes. From {groupFrom} passengers there are group rates: choose “Group travel” in the form, or call.'],
] as const
