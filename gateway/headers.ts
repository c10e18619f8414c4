/** Security headers, and the content policy of each page: scripts and styles only from here or with this answer's nonce. */
import type { RequestHandler } from 'express'

export const securityHeaders =
  (secure: boolean): RequestHandler =>
  (_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'strict-origin-when-cross-origin')
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-resource-policy', 'same-origin')
    response.setHeader('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)')
    response.setHeader('x-frame-options', 'DENY')
    if (secure) response.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains')
    next()
  }

/** `imageHosts`: origins that the brand's logo and the airlines' logos come from. */
export function contentPolicy(nonce: string, imageHosts: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: ${imageHosts.join(' ')}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
