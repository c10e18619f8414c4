import { type Article, COMPANY, DATA_PROTECTION_OFFICER } from '../article.ts'

export const terms: Article = {
  title: 'Terms of Service',
  brief: [
    'The price you see is the total for everyone travelling, with taxes and our service fee. Nothing is added at payment.',
    'Your card is charged only when the airline has confirmed. Until then the amount is held.',
    'The airline’s own rules decide what a ticket can do. You read them before you pay.',
    'Names must be written as in the passport, and a passport valid for {passportValidity} after the trip is advised.',
  ],
  sections: [
    {
      id: 'who',
      title: 'Who these terms are between',
      blocks: [
        'They apply between you and {brand}, a travel agency in Paris, whenever you use this website or book with us by phone. We act as intermediary: we show the airlines’ offers, book the one you choose and take the payment. The carriage itself is a contract between you and the airline, under its conditions of carriage.',
        COMPANY,
      ],
    },
    {
      id: 'price',
      title: 'Prices',
      blocks: [
        'Every price on this website is the total for all passengers of your search, including taxes, the airline’s charges and our service fee. Seats with a price are added where you choose them. The amount on the Pay button is the amount your card is charged.',
        'A fare is in the currency in which the airline sells it to us. We convert nothing; your bank may, at its own rate and fee.',
        'Fares are held for a limited time, usually about half an hour, and the page says how long. If the airline changes the price before you pay, you are told the new one and decide again.',
        'Best-price guarantee: show us, before you pay, the same flight, fare and dates for less, and we match the price.',
      ],
    },
    {
      id: 'booking',
      title: 'How a booking comes about',
      blocks: [
        {
          list: [
            'You choose an offer, enter the passengers, choose seats or skip them, and press Pay.',
            'The amount is held on your card. We then order the ticket from the airline.',
            'When the airline confirms, the held amount is taken and you receive the booking reference on the screen and by e-mail. With that the contract is made.',
            'If the airline has not answered yet, the booking is pending: we tell you the reference and write as soon as we know. If the airline does not confirm, the hold is released and nothing is charged.',
          ],
        },
        'The same passengers cannot be booked twice on the same offer by mistake: a second attempt leads to the first booking.',
        'A guest’s booking opens an account, so that the trip can be found again. You need not use it, and you can delete it in your [account settings](/account-settings?tab=profile).',
        'While a page shows the test badge, nothing is sold: no ticket is issued and no card is charged.',
      ],
    },
    {
      id: 'passengers',
      title: 'Names and travel documents',
      blocks: [
        'Enter each name as it stands in the passport. Airlines may refuse a passenger whose name differs, and a correction may cost a fee or a new ticket.',
        'You are responsible for passports, visas and health papers. A passport valid for at least {passportValidity} after the trip is advised; many countries ask for it. If you are unsure, ask the embassy of the country you travel to, or [ask us](/contact).',
        'An adult can bring one infant under 2 on the lap. A booking takes at most nine passengers with seats; for {groupFrom} or more, ask us for group rates.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes, cancellation and refunds',
      blocks: [
        'Whether a ticket can be changed or refunded is part of its fare, and shown before you pay. Most fares can be cancelled free of charge within {freeCancellation} of booking. Refunds go to the card you paid with and take {refundTime}; service fees are not refundable. The [Cancellation & Refund Policy](/cancellation-policy) says how it works.',
        'A flight on a fixed date is exempt from the 14-day right of withdrawal (article L. 221-28, 12° of the French Consumer Code).',
        'If the airline cancels, delays or refuses to carry you, European Regulation 261/2004 may give you a choice between a refund and another flight, care on the way, and compensation. These claims are against the airline that operates the flight; we help you make them.',
      ],
    },
    {
      id: 'you',
      title: 'What we ask of you',
      blocks: [
        {
          list: [
            'You are of age and entitled to use the card you pay with.',
            'What you enter about yourself and others is true, and the others know that you book for them.',
            'You keep your password to yourself, and tell us when somebody else may know it.',
            'You do not query the website by machine, nor try cards that are not yours. We slow down and stop such use.',
          ],
        },
      ],
    },
    {
      id: 'liability',
      title: 'What we answer for',
      blocks: [
        'We answer for our own work: showing an offer as the airline gave it to us, ordering what you chose, handling your payment and your messages with care. The airline answers for the flight. We are not liable for what neither of us could prevent, nor for details that were entered wrongly. Nothing here limits rights that the law gives you and that cannot be waived.',
      ],
    },
    {
      id: 'data',
      title: 'Your data',
      blocks: [
        'Booking data is kept for about {retention}; passport details go 30 days after travel. The [Privacy Policy](/privacy) and the [Cookie Policy](/cookies) tell the rest.',
        DATA_PROTECTION_OFFICER,
      ],
    },
    {
      id: 'law',
      title: 'Complaints and law',
      blocks: [
        'Tell us first: [write to us](/contact) or call {phone}, with your booking reference. If our answer does not satisfy you, or there is none within 60 days, you may turn free of charge to the French mediator for tourism and travel, [Médiation Tourisme et Voyage](https://www.mtv.travel/).',
        'French law applies. If you live in another country of the European Union, you keep the protection of its mandatory rules and may go to the courts of the place where you live.',
        'We may change these terms for later bookings. A booking keeps the terms it was made under.',
      ],
    },
  ],
}
