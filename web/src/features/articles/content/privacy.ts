import { type Article, COMPANY, COMPLAINT_TO_CNIL, DATA_PROTECTION_OFFICER } from '../article.ts'

export const privacy: Article = {
  title: 'Privacy Policy',
  brief: [
    'We use your details to book your flights, to tell you about them and to help when plans change.',
    'Card numbers go to the card payment provider and are never stored by us.',
    'Passport details are destroyed 30 days after your last flight has landed. Booking data is kept for about {retention}.',
    'You can see, correct, export or delete your data: write to us, or use your [account settings](/account-settings?tab=profile).',
  ],
  sections: [
    {
      id: 'who',
      title: 'Who we are',
      blocks: [
        '{brand} is a travel agency in Paris. We stand between you and the airlines: you book with us, and the airline carries you. For the personal data in your search, your booking and your account, we are the controller. The airline is the controller of what it needs to carry you.',
        COMPANY,
      ],
    },
    {
      id: 'what',
      title: 'What we collect',
      blocks: [
        'We ask only for what a booking needs, and say on the form what is optional.',
        {
          list: [
            '**Travellers:** title, name, date of birth, gender and, when the flight asks for it, passport number, expiry date and issuing country; a frequent flyer number if you give one.',
            '**Contact:** e-mail address and phone number of the first passenger.',
            '**Payment:** amount, currency, date, card brand and last four digits. The full card number and the security code pass through to the payment provider and do not stay with us.',
            '**Account:** username, name, e-mail address, a protected form of your password, the day the account was opened and where it is signed in.',
            '**Messages:** what you write in our forms and by e-mail, with the name and the address that you give.',
            '**Misuse:** how often sign-ins and cards were refused from one network, under a code from which the network cannot be read back.',
          ],
        },
        'A search needs no name: we see airports, dates, the number of travellers and the cabin. Your last search is remembered by your own browser, as the [Cookie Policy](/cookies) explains.',
      ],
    },
    {
      id: 'why',
      title: 'Why we use it',
      blocks: [
        {
          table: {
            caption: 'Purposes and their legal grounds',
            head: ['Purpose', 'Legal ground'],
            rows: [
              ['Book, change and cancel your flights', 'Contract with you'],
              ['Confirmations, schedule changes, refunds', 'Contract with you'],
              ['Opening an account with a guest’s booking, so that the trip can be found again', 'Contract with you'],
              ['Invoices and accounting records', 'Legal obligation'],
              ['Preventing fraud and misuse of accounts', 'Legitimate interest'],
              ['Answering your messages', 'Your consent, or the contract when they are about a booking'],
              ['Fares by e-mail', 'Your consent, which you can withdraw at any time'],
            ],
          },
        },
        'We take no decision about you by automated means alone, and we make no profiles for advertising.',
      ],
    },
    {
      id: 'share',
      title: 'Who receives it',
      blocks: [
        'Your data goes to those who are needed for the trip, and to nobody for their own advertising:',
        {
          list: [
            'the airlines on your ticket and the booking system that connects us to them;',
            'the card payment provider and your bank;',
            'the services that run our website and deliver our e-mail, under contract and on our instructions;',
            'authorities, where the law of a country you fly to or from requires passenger data.',
          ],
        },
        'An airline or an authority can be outside the European Union. The transfer is then necessary for the journey that you booked. Any other transfer out of the Union needs the safeguards that the General Data Protection Regulation asks for.',
      ],
    },
    {
      id: 'keep',
      title: 'How long we keep it',
      blocks: [
        {
          table: {
            caption: 'How long each kind of data is kept',
            head: ['Data', 'Kept for'],
            rows: [
              ['Bookings and payments', 'About {retention}, as accounting law asks'],
              [
                'Dates of birth, passport details and frequent flyer numbers',
                'Encrypted, and destroyed 30 days after the last flight has landed',
              ],
              ['Sign-in session', '7 days without use, 30 days at most'],
              ['Flight offers that you opened', 'A few hours after the offer has expired'],
              ['Account', 'Until you delete it'],
              ['Messages', 'Two years'],
              ['Fares by e-mail', 'Until you ask us to stop'],
            ],
          },
        },
      ],
    },
    {
      id: 'safe',
      title: 'How we protect it',
      blocks: [
        'Traffic between your screen and us is encrypted. Passwords are stored in a form that cannot be read back. Travel documents are encrypted booking by booking, and their key is destroyed with them. Names, addresses, documents and cards are kept out of our logs. Staff see a booking only when their work needs it.',
        'A booking joins your account only after you have shown, by a link sent to it, that the e-mail address is yours.',
      ],
    },
    {
      id: 'rights',
      title: 'Your rights',
      blocks: [
        'You may ask for access to your data, for a copy that you can take elsewhere, for correction, for deletion, and for a limit to how we use it. You may object to uses that rest on our legitimate interest, and withdraw a consent at any time. You may also leave instructions for your data after your death. What the law obliges us to keep, such as accounting records, we keep until that time is over.',
        'With an account you can export your data and delete the account in your [account settings](/account-settings?tab=profile). Without one, write to us with your booking reference. We answer within one month.',
      ],
    },
    {
      id: 'ask',
      title: 'Questions and complaints',
      blocks: [
        DATA_PROTECTION_OFFICER,
        COMPLAINT_TO_CNIL,
        'See also our [Terms of Service](/terms), the [Cookie Policy](/cookies) and the [contact page](/contact).',
      ],
    },
  ],
}
