/** The questions and answers: six topics of five. Texts are rich text with the brand's facts in braces. */

export type Entry = { id: string; question: string; answer: readonly string[] }
export type Topic = { id: string; label: string; entries: readonly Entry[] }

const entry = (id: string, question: string, ...answer: string[]): Entry => ({ id, question, answer })

export const TOPICS: readonly Topic[] = [
  {
    id: 'booking',
    label: 'Booking',
    entries: [
      entry(
        'how-to-book',
        'How do I book a flight?',
        'Search on the [home page](/), open a flight, press Book Now, enter the passengers, choose seats or skip them, and pay. The booking reference is on the screen at once and in your e-mail a moment later.',
      ),
      entry(
        'without-account',
        'Do I need an account?',
        'No. You can book as a guest. We open an account with your e-mail address so that you can find the trip again; whether you use it is up to you.',
      ),
      entry(
        'total-price',
        'Is the price for one person or for all of us?',
        'For all of you. Every price is the total for everyone in the search, with taxes and our service fee. It is the same in the list, at payment and on your card.',
      ),
      entry(
        'price-changed',
        'Why did the price change, or the flight disappear?',
        'Airlines hold a fare for about half an hour, and the page says how long. After that a new search brings today’s price. If a fare changes while you book, we tell you before anything is charged.',
      ),
      entry(
        'groups',
        'Do you book for groups?',
        'Yes. Online a booking takes up to nine passengers with seats. From {groupFrom} passengers there are group rates: [write to us](/contact) and choose “Group travel”, or call {phone}. Our experts are there {expertHours}.',
      ),
    ],
  },
  {
    id: 'payment',
    label: 'Payment',
    entries: [
      entry(
        'cards',
        'How can I pay?',
        'By credit or debit card: Visa, Mastercard and American Express. Your bank may ask you to confirm the payment.',
      ),
      entry(
        'when-charged',
        'When is my card charged?',
        'When the airline has confirmed. Before that the amount is only held. If the airline does not confirm, the hold is released and nothing is taken.',
      ),
      entry(
        'declined',
        'My card was declined. What now?',
        'A declined card is not charged. Check the number, the date and the CVV, or use another card: your passengers and seats stay as they are. If your bank shows a reservation, it goes away by itself.',
        'After several declined cards we stop for half an hour, to protect card holders. Call {phone} if that catches you.',
      ),
      entry(
        'card-data',
        'Is it safe to enter my card here?',
        'Yes. Card details travel encrypted to the payment provider. We never store the number or the security code; we keep the brand and the last four digits, so that you can recognise the payment.',
      ),
      entry(
        'currency',
        'In which currency do I pay?',
        'In the one that the price is shown in, which is the one the airline sells in. We convert nothing. If your card is in another currency, your bank converts at its own rate.',
      ),
    ],
  },
  {
    id: 'cancellations',
    label: 'Cancellations',
    entries: [
      entry(
        'can-i-cancel',
        'Can I cancel my booking?',
        'Open [My Trips](/my-trips), choose the trip and press Cancel. Before anything happens you see what comes back to your card. Most fares can be cancelled free of charge within {freeCancellation} of booking.',
      ),
      entry(
        'refund-time',
        'How long does a refund take?',
        'Refunds take {usualRefundTime}. We process your request within {requestTime}; the rest of the time is the airline’s and your bank’s.',
        'The money goes back to the card you paid with. My Trips shows the amount and the day we sent it, under Cancelled.',
      ),
      entry(
        'service-fee',
        'Is the service fee refunded?',
        'No. The refund is what the airline gives back; our service fee is not refundable. The amount is shown before you confirm. The [Cancellation & Refund Policy](/cancellation-policy) says more.',
      ),
      entry(
        'non-refundable',
        'My ticket says “Non-Refundable Ticket”. What now?',
        'The airline gives no money back for this fare. [Write to us](/contact) with your reference if you cannot fly: we tell you what its rules allow.',
      ),
      entry(
        'airline-cancels',
        'What happens if the airline cancels my flight?',
        'Call us as soon as you hear of it: {phone}. We arrange another flight with the airline, or ask for the refund you are owed. You may be owed compensation as well.',
      ),
    ],
  },
  {
    id: 'changes',
    label: 'Changes',
    entries: [
      entry(
        'change-date',
        'Can I change the date of my flight?',
        'If the fare is changeable, yes. The flight’s page and your trip say whether it is. [Write to us](/contact) with the reference and the new date: we tell you the difference in price first.',
      ),
      entry(
        'change-name',
        'I misspelt a name. Can it be corrected?',
        'Small spelling mistakes, often. Write to us before you contact the airline, with the name as it stands in the passport. A ticket cannot be passed on to somebody else.',
      ),
      entry(
        'change-seats',
        'Can I choose or change seats later?',
        'Yes, as a rule: on the airline’s website, with the airline’s reference from your confirmation, or by asking us. Some seats cost extra.',
      ),
      entry(
        'add-bags',
        'How do I add a bag?',
        'What is included is shown with each flight before you pay. More bags can be added on the airline’s website with the airline’s reference. At the airport they usually cost more.',
      ),
      entry(
        'missed-flight',
        'I have missed my flight. What should I do?',
        'Call us at once: {phone}, open {supportHours}. If you miss the first flight and tell nobody, most airlines cancel the rest of the ticket, the way back included.',
      ),
    ],
  },
  {
    id: 'travel',
    label: 'Travel',
    entries: [
      entry(
        'documents',
        'Which documents do I need?',
        'A passport that is valid for at least {passportValidity} after the trip is advised; within the European Union an identity card can be enough for its citizens. Many countries ask for a visa or an electronic permit: check with their embassy.',
      ),
      entry(
        'when-at-airport',
        'When should I be at the airport?',
        '{arriveDomestic} before a domestic flight, {arriveInternational} before an international one. At peak times add {arrivePeak}.',
      ),
      entry(
        'check-in',
        'When does online check-in open?',
        '{checkIn} before departure, on the airline’s website. You need the airline’s reference, which is in your confirmation and in My Trips.',
      ),
      entry(
        'children',
        'How do I travel with a baby or a child?',
        'An infant under 2 travels on an adult’s lap, one for each adult. Children from 2 to 11 have a seat. Enter the age at the time of the flight; each of them needs documents of their own.',
      ),
      entry(
        'assistance',
        'I need assistance. Whom do I tell?',
        'Us, at least 48 hours before departure: [write](/contact) and choose “Special assistance”, or call. A wheelchair, help on board, a guide dog: it is free of charge, and we tell you what the airline confirmed.',
      ),
    ],
  },
  {
    id: 'account',
    label: 'Account',
    entries: [
      entry(
        'find-booking',
        'How do I find my booking?',
        'Sign in and open [My Trips](/my-trips). Without an account, use [Retrieve Booking](/support?tab=bookings) with your reference and the e-mail you booked with.',
      ),
      entry(
        'forgot-password',
        'I have forgotten my password.',
        'Tell us your e-mail under [Forgot your password?](/forgot-password). If there is an account with your address, you receive a link that works once, for one hour.',
      ),
      entry(
        'missing-trip',
        'Why is a trip not in my account?',
        'Trips join an account when its e-mail address is proved. Open the link in our mail, and trips that were booked with this address appear in My Trips.',
      ),
      entry(
        'my-data',
        'What do you store, and how do I delete it?',
        'What the booking needs, for about {retention}; passport details go 30 days after travel. You can export your data and delete your account in [Account Settings](/account-settings?tab=profile). The [Privacy Policy](/privacy) tells all of it.',
      ),
      entry(
        'reach-us',
        'How do I reach a person?',
        'By phone at {phone}: support is open {supportHours}, our travel experts for new trips {expertHours}. E-mail to {email} is answered within {emailReply}.',
      ),
    ],
  },
]
