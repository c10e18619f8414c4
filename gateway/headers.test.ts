import type { Request, Response } from 'express'
import { describe, expect, test } from 'vitest'
import { contentPolicy, securityHeaders } from './headers.ts'

function headersOf(secure: boolean): Map<string, string> {
  const headers = new Map<string, string>()
  let passed = false
  securityHeaders(secure)(
    {} as Request,
    { setHeader: (name: string, value: string) => headers.set(name, value) } as unknown as Response,
    () => {
      passed = true
    },
  )
  expect(passed).toBe(true)
  return headers
}

test('every answer forbids sniffing, framing and giving addresses away', () => {
  expect(Object.fromEntries(headersOf(false))).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
    'x-frame-options': 'DENY',
  })
})

test('https is demanded for a year where the site is served over it, and only there', () => {
  expect(headersOf(true).get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  expect(headersOf(false).has('strict-transport-security')).toBe(false)
})

describe('the content policy', () => {
  const policy = (hosts: string[]) =>
    Object.fromEntries(
      contentPolicy('abc', hosts)
        .split('; ')
        .map((line) => [line.split(' ')[0], line.split(' ').slice(1)]),
    )

  test('lets scripts and styles come from here or with the nonce, and nothing be inline', () => {
    expect(policy([])).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'", "'nonce-abc'"],
      'style-src': ["'self'", "'nonce-abc'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'object-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    })
    expect(contentPolicy('abc', [])).not.toContain('unsafe')
  })

  test('adds the origin of a logo to the pictures alone', () => {
    expect(policy(['https://cdn.example.org'])['img-src']).toEqual(["'self'", 'data:', 'https://cdn.example.org'])
    expect(policy(['https://cdn.example.org'])['script-src']).toEqual(["'self'", "'nonce-abc'"])
  })
})
