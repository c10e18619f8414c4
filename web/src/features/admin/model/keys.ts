/** First elements of the cached reads. They begin with /api/admin, so that signing in as somebody else drops them. */
export const keys = {
  settings: '/api/admin/settings',
  markups: '/api/admin/markups',
  audit: '/api/admin/audit',
  people: '/api/admin/people',
  brands: '/api/admin/brands',
  bookings: '/api/admin/bookings',
  staff: '/api/admin/staff',
  messages: '/api/admin/messages',
} as const
