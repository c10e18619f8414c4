import { type Article, COMPANY, DATA_PROTECTION_OFFICER } from '../article.ts'

export const cookies: Article = {
  title: 'Cookie Policy',
  brief: [
    'We set one cookie: the one that keeps your booking and your sign-in together.',
    'Your browser remembers your last search for you. It does not leave your device.',
    'There are no advertising or audience cookies unless you have agreed to them. Without a banner there are none to agree to.',
  ],
  sections: [
    {
      id: 'what',
      title: 'What a cookie is',
      blocks: [
        'A cookie is a short text that a website leaves in your browser and that the browser sends back with each request. Browsers also have a storage of their own for each website, which is read by the page and is not sent. This policy is about both.',
      ],
    },
    {
      id: 'cookies',
      title: 'The cookie we set',
      blocks: [
        {
          table: {
            caption: 'Cookies',
            head: ['Name', 'What it does, and how long it stays'],
            rows: [
              [
                '__Host-sid',
                'Holds a random number that ties your requests together: your checkout as a guest, your sign-in. It is set when you begin a booking or sign in, cannot be read by scripts and is sent to this website only. The session ends after 7 days without use, and after 30 days at the latest.',
              ],
            ],
          },
        },
        'Without it nothing can be booked, so it needs no consent (article 82 of the French Data Protection Act). Signing out ends the session it stands for.',
      ],
    },
    {
      id: 'storage',
      title: 'What your browser remembers',
      blocks: [
        {
          table: {
            caption: 'Storage of the browser',
            head: ['Name', 'What it holds, and how long'],
            rows: [
              ['lastTripType', 'Round Trip or One Way, as you last chose. Until you clear it.'],
              ['lastSearchParams', 'Your last search: airports, dates, travellers, cabin. Until you clear it.'],
              ['previousResults', 'The results you came from, so that going back is quick. Until you close the tab.'],
              ['adConsent', 'Your answer about advertising, where you were asked. Until you clear it.'],
            ],
          },
        },
        'Names, passports and cards are never put there.',
      ],
    },
    {
      id: 'advertising',
      title: 'Advertising',
      blocks: [
        'A landing page of ours that you reach from an advertisement may count whether the advertisement led to a call. That tag comes from the advertising service and sets its own cookies, so it is loaded only after you have agreed in a banner on that page. If you refuse, or do not answer, it is not loaded, and everything works the same. Where no banner appears, no such tag is in use.',
        'To change your answer, clear this website’s data in your browser; you are asked again.',
      ],
    },
    {
      id: 'remove',
      title: 'How to remove them',
      blocks: [
        'Every browser can show and delete cookies and stored data, in its settings under privacy. Doing so signs you out and forgets your last search; your bookings stay. You find them again by signing in, or with reference and e-mail under [Retrieve Booking](/support?tab=bookings).',
      ],
    },
    {
      id: 'ask',
      title: 'Who answers for this',
      blocks: [
        COMPANY,
        DATA_PROTECTION_OFFICER,
        'See also our [Privacy Policy](/privacy), the [Terms of Service](/terms) and the [contact page](/contact).',
      ],
    },
  ],
}
