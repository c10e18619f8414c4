import { type Article, COMPANY, DATA_PROTECTION_OFFICER } from '../article.ts'

export const accessibility: Article = {
  title: 'Accessibility',
  brief: [
    'This website aims at the Web Content Accessibility Guidelines 2.2, level AA, and the European standard EN 301 549.',
    'You can search, book, pay and cancel by keyboard and with a screen reader.',
    'Something is in your way? Call {phone} or write to {email}, and we book for you.',
  ],
  sections: [
    {
      id: 'what',
      title: 'What this statement covers',
      blocks: [
        '{brand} offers this website under the European Accessibility Act (Directive 2019/882) and article L. 412-13 of the French Consumer Code. The statement covers everything from the search to the confirmation, your trips, your account and the help pages, on computers and phones.',
      ],
    },
    {
      id: 'how',
      title: 'How the service works',
      blocks: [
        'You search flights by airports and dates, compare offers in a list, enter passengers, choose seats on a map or skip them, and pay by card. The confirmation comes on the screen and by e-mail, as text. The same can be done by phone.',
        {
          list: [
            'Every step works with the keyboard alone, in a sensible order, with a visible focus. A first link skips to the content.',
            'Headings, lists, fields and messages are named for screen readers. New screens and results are announced.',
            'Errors stand beside their fields in words, and lead to them.',
            'Text can be enlarged to 200 %, and pages fit a width of 320 pixels, without scrolling sideways.',
            'Colours keep the contrast of level AA in every design of this website. No meaning rests on colour alone.',
            'Motion stops when your device asks for less of it.',
            'Before a price expires the page says so, and a new search brings current prices.',
          ],
        },
      ],
    },
    {
      id: 'state',
      title: 'How far we are',
      blocks: [
        'Each screen is checked by an automatic tool at phone and computer width, and the booking is walked through by keyboard, whenever the website changes. We know of these limits:',
        {
          list: [
            '**Seat maps** are drawn as grids and can be long to walk through. You can skip them, and we choose seats for you by phone.',
            '**Your bank’s confirmation page**, where a payment asks for one, is the bank’s and not under our control.',
            '**Airlines’ websites**, for example for online check-in, are theirs.',
          ],
        },
      ],
    },
    {
      id: 'assistance',
      title: 'Assistance on the journey',
      blocks: [
        'Passengers with reduced mobility have a right to free assistance at the airport and on board (Regulation 1107/2006). Tell us at least 48 hours before departure: [write to us](/contact) and choose “Special assistance”, or call {phone}. We pass it on to the airline and tell you what it confirmed.',
      ],
    },
    {
      id: 'complain',
      title: 'How to complain',
      blocks: [
        'Tell us what you wanted to do, on which page, and with which device or assistive technology. Call, write to {email}, or use the [contact form](/contact) with the inquiry type “Technical problem”. We answer within {emailReply}, and help you with what you wanted to do at once.',
        COMPANY,
        'If our answer does not help, you can report it to the French consumer authority, the DGCCRF, at [signal.conso.gouv.fr](https://signal.conso.gouv.fr/), or turn to the [Défenseur des droits](https://www.defenseurdesdroits.fr/), who defends the rights of people with disabilities.',
        DATA_PROTECTION_OFFICER,
        'See also our [Terms of Service](/terms) and the [Privacy Policy](/privacy).',
      ],
    },
  ],
}
