/** What the processes of a run read instead of their environment. */

export const WEBHOOK_SECRET = 'whsec_simulation'
const KEY = Buffer.alloc(32, 7).toString('base64')
const URLS = {
  SEARCH_URL: 'http://search',
  PAYMENT_URL: 'http://payment',
  BRAND_URL: 'http://brand',
  PUBLIC_URL: 'https://flights.example',
}
/** By service. Shorter than in production, so that a run has fewer idle hours. */
export const CONFIGURATION: Record<string, object> = {
  booking: {
    ...URLS,
    DOCUMENT_KEY: KEY,
    DUFFEL_TEST_TOKEN: 'duffel_test_simulation',
    ORDER_LONGEST_MS: 30_000,
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'desk@flights.example',
  },
  payment: {
    ...URLS,
    HASH_KEY: KEY,
    STRIPE_TEST_KEY: 'sk_test_simulation',
    STRIPE_TEST_WEBHOOK_SECRET: WEBHOOK_SECRET,
    HOLD_IDLE_SECONDS: 40,
    HOLD_SECONDS: 150,
  },
}
