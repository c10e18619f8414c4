/** The table of screens. */
import { paths } from '../lib/paths.ts'
import type { Screen } from './screen.ts'

export const SCREENS: readonly Screen[] = [
  {
    path: paths.home,
    // The form is part of the first view.
    load: async () =>
      (await Promise.all([import('../features/search/HomePage.tsx'), import('../features/search/form/SearchForm.tsx')]))[0].HomePage,
    access: 'everybody',
    prerendered: true,
    title: (brand) => `${brand}: flights at the price you see`,
    description: 'Compare airline fares, pay the total you see and call a person at any hour. Best-price guarantee with price match.',
  },
  { path: paths.search, load: async () => (await import('./ResultsScreen.tsx')).ResultsScreen, access: 'everybody' },
  { path: '/flight/:id', load: async () => (await import('../features/offer/OfferPage.tsx')).OfferPage, access: 'everybody' },
  {
    path: paths.booking,
    load: async () => (await import('../features/booking/BookingPage.tsx')).BookingPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    path: paths.cardFields,
    load: async () => (await import('../features/booking/card-fields/CardFieldsPage.tsx')).CardFieldsPage,
    access: 'everybody',
    robots: 'noindex',
    framed: true,
  },
  {
    path: '/booking/:id/receipt',
    load: async () => (await import('../features/receipt/ReceiptPage.tsx')).ReceiptPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    // It asks visitors to sign in by itself: guests may come from a booking that they made without an account.
    path: paths.trips,
    load: async () => (await import('../features/trips/TripsPage.tsx')).TripsPage,
    access: 'everybody',
    robots: 'noindex',
  },
  { path: paths.login, load: async () => (await import('../features/auth/LoginPage.tsx')).LoginPage, access: 'everybody' },
  { path: paths.register, load: async () => (await import('../features/auth/RegisterPage.tsx')).RegisterPage, access: 'everybody' },
  {
    path: paths.forgotPassword,
    load: async () => (await import('../features/auth/ForgotPasswordPage.tsx')).ForgotPasswordPage,
    access: 'everybody',
  },
  {
    path: paths.setPassword,
    load: async () => (await import('../features/auth/SetPasswordPage.tsx')).SetPasswordPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    path: paths.account,
    load: async () => (await import('../features/account/AccountPage.tsx')).AccountPage,
    access: 'user',
    robots: 'noindex',
  },
  {
    path: paths.privacy,
    load: async () => (await import('../features/articles/pages/PrivacyPage.tsx')).PrivacyPage,
    access: 'everybody',
    prerendered: true,
    description: 'What we store when you search, book and write to us, why, for how long, and how to see or delete it.',
  },
  {
    path: paths.terms,
    load: async () => (await import('../features/articles/pages/TermsPage.tsx')).TermsPage,
    access: 'everybody',
    prerendered: true,
    description: 'What we agree on when you book: prices, payment, tickets, changes, refunds and what happens when something goes wrong.',
  },
  {
    path: paths.cookies,
    load: async () => (await import('../features/articles/pages/CookiesPage.tsx')).CookiesPage,
    access: 'everybody',
    prerendered: true,
    description: 'The cookie that we set, what your browser remembers for you, and how to remove it.',
  },
  {
    path: paths.cancellation,
    load: async () => (await import('../features/articles/pages/CancellationPage.tsx')).CancellationPage,
    access: 'everybody',
    prerendered: true,
    description: 'How to cancel a flight, what comes back, how long it takes and what does not come back.',
  },
  {
    path: paths.about,
    load: async () => (await import('../features/articles/pages/AboutPage.tsx')).AboutPage,
    access: 'everybody',
    prerendered: true,
    description: 'A travel agency in Paris: who we are, what we do, how we earn our money and how to reach us.',
  },
  {
    path: paths.accessibility,
    load: async () => (await import('../features/articles/pages/AccessibilityPage.tsx')).AccessibilityPage,
    access: 'everybody',
    prerendered: true,
    description: 'How accessible this website is, what we know to be missing, and how to complain.',
  },
  {
    path: paths.support,
    load: async () => (await import('../features/support/SupportPage.tsx')).SupportPage,
    access: 'everybody',
    prerendered: true,
    description: 'Find your booking, read what others ask, or write to our support.',
  },
  {
    path: paths.faq,
    load: async () => (await import('../features/faq/FaqPage.tsx')).FaqPage,
    access: 'everybody',
    prerendered: true,
    description: 'Thirty answers on booking, paying, cancelling, changing, travelling and your account.',
  },
  {
    path: paths.contact,
    load: async () => (await import('../features/contact/ContactPage.tsx')).ContactPage,
    access: 'everybody',
    prerendered: true,
    description: 'Call, write or visit: phone, e-mail and address of our office in Paris.',
  },
  {
    path: paths.partner,
    load: async () => (await import('./PartnerScreen.tsx')).PartnerScreen,
    access: 'everybody',
    enabled: ({ content }) => content.partnerPage,
    title: (brand) => `${brand}: book your flight by phone`,
    description: 'Tell a travel expert where and when, and hear the total before you say yes. Or search the flights yourself.',
  },
  {
    path: paths.verifyEmail,
    load: async () => (await import('../features/auth/VerifyEmailPage.tsx')).VerifyEmailPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    path: paths.leaveNewsletter,
    load: async () => (await import('../features/newsletter/LeaveNewsletterPage.tsx')).LeaveNewsletterPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    path: paths.confirmSender,
    load: async () => (await import('../features/admin/host/ConfirmSenderPage.tsx')).ConfirmSenderPage,
    access: 'everybody',
    robots: 'noindex',
  },
  {
    path: paths.adminSettings,
    load: async () => (await import('../features/admin/settings/SettingsPage.tsx')).SettingsPage,
    access: 'admin',
    robots: 'noindex',
  },
  {
    path: paths.adminBookings,
    load: async () => (await import('../features/admin/bookings/BookingsPage.tsx')).BookingsPage,
    access: 'admin',
    robots: 'noindex',
  },
  {
    path: '/admin/bookings/:id',
    load: async () => (await import('../features/admin/bookings/OfficeBookingPage.tsx')).OfficeBookingPage,
    access: 'admin',
    robots: 'noindex',
  },
  {
    path: paths.adminBrands,
    load: async () => (await import('../features/admin/brands/BrandsPage.tsx')).BrandsPage,
    access: 'admin',
    robots: 'noindex',
    waiting: 'Loading brand manager...',
  },
  {
    path: '/admin/brands/:brandKey',
    load: async () => (await import('../features/admin/brands/BrandPage.tsx')).BrandPage,
    access: 'admin',
    robots: 'noindex',
    waiting: 'Loading brand manager...',
  },
  {
    path: paths.adminMessages,
    load: async () => (await import('../features/admin/messages/MessagesPage.tsx')).MessagesPage,
    access: 'admin',
    robots: 'noindex',
  },
]

/** Addresses that lead to another one. */
export const REDIRECTS: readonly [from: string, to: string][] = [
  ['/flight', paths.search],
  ['/privacy-policy', paths.privacy],
]
