/** The words of the help centre; texts are rich text with the brand's facts in braces. */

export const ASKED_MOST: readonly { id: string; question: string; answer: string }[] = [
  {
    id: 'find',
    question: 'How do I find my booking?',
    answer:
      'Sign in and open [My Trips](/my-trips). If you booked as a guest, use Retrieve Booking with your reference and the e-mail you booked with.',
  },
  {
    id: 'cancel',
    question: 'How do I cancel, and what do I get back?',
    answer:
      'Press Cancel on the trip in My Trips. You see the refund before you confirm. Most fares can be cancelled free of charge within {freeCancellation} of booking; after that the fare’s own rules count, and our service fee is not refundable. [More on refunds](/cancellation-policy).',
  },
  {
    id: 'change',
    question: 'Can I change a name or a date?',
    answer:
      'Small spelling mistakes in a name, often. Dates, if the fare is changeable. Write to us before you do anything with the airline.',
  },
  {
    id: 'documents',
    question: 'Which travel documents do I need?',
    answer:
      'A passport valid for at least {passportValidity} after the trip is advised. Some countries ask for a visa as well: check with their embassy.',
  },
  {
    id: 'check-in',
    question: 'When does online check-in open?',
    answer: '{checkIn} before departure, on the airline’s site, with the airline reference from your confirmation.',
  },
  {
    id: 'declined',
    question: 'My payment failed. Was I charged?',
    answer: 'A declined card is not charged. Your bank may show a reservation for a short time; it goes away by itself.',
  },
]

/** Each leads to its tab of the questions. */
export const HELP_TOPICS = [
  ['booking', 'Booking a flight', 'Fares, seats, several travellers'],
  ['payment', 'Paying', 'Cards, declined payments, currencies'],
  ['cancellations', 'Cancelling and refunds', 'What comes back, and when'],
  ['changes', 'Changing a trip', 'Dates, names, missed flights'],
  ['travel', 'Before you travel', 'Documents, bags, check-in'],
  ['account', 'Your account', 'Sign-in, password, your data'],
] as const
