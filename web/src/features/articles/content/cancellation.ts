import { type Article, COMPANY, DATA_PROTECTION_OFFICER } from '../article.ts'

export const cancellation: Article = {
  title: 'Cancellation & Refund Policy',
  brief: [
    'Most fares can be cancelled free of charge within {freeCancellation} of booking.',
    'You see what comes back before you confirm. Requests are processed within {requestTime}.',
    'Refunds take {refundTime} and go to the card you paid with.',
    'Service fees are non-refundable.',
  ],
  sections: [
    {
      id: 'how',
      title: 'How to cancel',
      blocks: [
        'Open [My Trips](/my-trips), choose the trip and press Cancel. The page asks the airline what it gives back and shows you the amount. Nothing happens until you confirm.',
        'No account? Call {phone} or [write to us](/contact) with your booking reference. For a flight that leaves within two days, call.',
        'We process cancellation requests within {requestTime}. For most airlines it is a matter of seconds, and the e-mail that follows confirms it.',
      ],
    },
    {
      id: 'back',
      title: 'What comes back',
      blocks: [
        {
          table: {
            caption: 'What comes back in each case',
            head: ['Case', 'What you get'],
            rows: [
              ['Within {freeCancellation} of booking', 'For most fares the airline charges nothing for the cancellation'],
              ['Later, on a refundable fare', 'What the airline gives back under the fare’s rules, less its penalty'],
              ['A fare marked “Non-Refundable Ticket”', 'Nothing from the airline; some airport taxes may be claimed if you do not fly'],
              [
                'The airline gives credit instead of money',
                'The credit stays with the airline, in your name; your card gets nothing, and we tell you the amount',
              ],
              ['The booking is still pending', 'Nothing is charged: the amount held on your card is released'],
              ['The airline cancels the flight', 'A full refund or another flight, as you choose'],
            ],
          },
        },
        'The refund is what the airline gives back, and never more than you paid. It is made in the currency you were charged in. Where the airline refunds in another way, our team arranges it with you by hand.',
      ],
    },
    {
      id: 'fees',
      title: 'Service fees',
      blocks: [
        'The price you pay includes our service fee for finding, booking and looking after your trip. Service fees are non-refundable. The amount that you are shown before you confirm already allows for this.',
      ],
    },
    {
      id: 'when',
      title: 'When the money arrives',
      blocks: [
        'Refunds take {refundTime}. We send ours as soon as the airline has confirmed; the rest of the time is the airline’s and your bank’s. It arrives on the card you paid with. If that card has been closed, tell us before you cancel.',
        'My Trips shows the amount and, once it was sent, the day, under Cancelled.',
      ],
    },
    {
      id: 'changes',
      title: 'Changing instead',
      blocks: [
        'A changeable fare can take another date for the airline’s change fee and the difference in fare. [Write to us](/contact) with the reference and the date you want: we tell you the cost before anything is changed. Small spelling mistakes in a name can often be corrected without a new ticket.',
      ],
    },
    {
      id: 'airline',
      title: 'When the airline changes your trip',
      blocks: [
        'If your flight is cancelled, brought forward by more than an hour or delayed for long, European Regulation 261/2004 may entitle you to a refund or another flight, to meals and a hotel, and to compensation. Call us as soon as you hear of it: we rebook you with the airline, or ask for the refund you are owed.',
        'If you cannot fly for a grave reason, such as illness or a death in the family, write to us with a proof. We put your case to the airline.',
      ],
    },
    {
      id: 'ask',
      title: 'Who answers for this',
      blocks: [
        COMPANY,
        DATA_PROTECTION_OFFICER,
        'See also our [Terms of Service](/terms), the [Privacy Policy](/privacy), the answers on [cancellations](/faq?topic=cancellations) and the [contact page](/contact).',
      ],
    },
  ],
}
