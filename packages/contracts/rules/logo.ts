/** What a brand may send as its logo. */
export const LOGO_BYTES = 200 * 1024
export const LOGO_TYPES = ['image/svg+xml', 'image/png', 'image/webp'] as const
