import { type Article, COMPANY, DATA_PROTECTION_OFFICER } from '../article.ts'

export const about: Article = {
  title: 'About us',
  brief: [
    'We are a travel agency in Paris that books flights, on this website and by phone.',
    'You see one total, for everyone travelling, from the first list to your card.',
    'A call reaches a person, {supportHours}.',
  ],
  sections: [
    {
      id: 'who',
      title: 'Who we are',
      blocks: [
        '{brand} is a travel agency in the 19th arrondissement of Paris. We stand between travellers and airlines: we show the airlines’ own fares, book your seats, and stay within reach until you are home again.',
        'Booking a flight has become quick; changing one, or getting money back, has not. That is the part of the work we care about most.',
      ],
    },
    {
      id: 'do',
      title: 'What we do',
      blocks: [
        {
          list: [
            '**Search and book.** Fares of many airlines side by side, with bags, seats and the rules of each fare in plain sight before you pay.',
            '**Help by phone.** Several cities, groups of {groupFrom} and more, infants, special assistance: our travel experts plan and book with you, {expertHours}.',
            '**Support on the way.** Missed connections and cancelled flights: the line is open {supportHours}.',
            '**Cancellations and refunds.** You see what comes back before you decide. We ask the airline for it and follow it up.',
            '**Claims.** Miles credited late, compensation after a delay: we write the letters.',
          ],
        },
      ],
    },
    {
      id: 'earn',
      title: 'How we earn our money',
      blocks: [
        'From a service fee that is already in every price you see. The price is the same in the list, at payment and on your card; nothing is added at the end. If you find the same flight for less, we match the price.',
        'The list is sorted by price, or by duration or departure when you choose so. Nobody can pay for a better place in it.',
      ],
    },
    {
      id: 'promise',
      title: 'What you can hold us to',
      blocks: [
        {
          list: [
            'Your card is charged only when the airline has confirmed your seats.',
            'Card numbers are never stored by us, and passport details are destroyed 30 days after you have landed.',
            'E-mail is answered within {emailReply}, the contact form usually within {contactReply}.',
            'If something went wrong, we say so first.',
          ],
        },
      ],
    },
    {
      id: 'company',
      title: 'Company information',
      blocks: [
        COMPANY,
        'The quickest ways to reach us are the phone and the [contact page](/contact).',
        DATA_PROTECTION_OFFICER,
        'The fine print is short: [Terms of Service](/terms), [Privacy Policy](/privacy), [Cookie Policy](/cookies), [Cancellation & Refund Policy](/cancellation-policy) and [Accessibility](/accessibility).',
      ],
    },
  ],
}
