import type { Request, Response } from 'express'
import { describe, expect, test } from 'vitest'
import { isCrossSite, setSecurityHeaders } from './middleware.ts'

function headersOf(secure: boolean): Map<string, string> {
  const headers = new Map<string, string>()
  let passed = false
  setSecurityHeaders(secure)(
    {} as Request,
    { setHeader: (name: string, value: string) => headers.set(name, value) } as unknown as Response,
    () => {
      passed = true
    },
  )
  expect(passed).toBe(true)
  return headers
}

test('every response forbids sniffing, framing and sending full referrers', () => {
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

const unsafeRequest = (method: string, headers: Record<string, string>) =>
  ({ method, get: (name: string) => headers[name.toLowerCase()] }) as Pick<Request, 'method' | 'get'>
const refused = (headers: Record<string, string>, { method = 'POST', secure = false } = {}) =>
  isCrossSite(unsafeRequest(method, { host: 'fly.example.com', ...headers }), secure)

const UNSAFE = ['POST', 'PUT', 'DELETE', 'PATCH']
const SAFE = ['GET', 'HEAD', 'OPTIONS']

describe('AAUTH-10: requests of other sites', () => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'SAME-ORIGIN' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://fly.example.com' },
    { origin: 'https://evil.example' },
    { origin: 'https://fly.example.com.evil.example' },
    { origin: 'https://www.fly.example.com' },
    { origin: 'https://fly.example.com:8443' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'fly.example.com' },
    { origin: 'file://' },
  ]

  test('are refused with every unsafe method', () => {
    for (const method of UNSAFE) for (const headers of foreign) expect(refused(headers, { method }), JSON.stringify(headers)).toBe(true)
  })

  test('may read, as safe methods change nothing', () => {
    for (const method of SAFE) for (const headers of foreign) expect(refused(headers, { method }), JSON.stringify(headers)).toBe(false)
  })
})

describe('requests of our own pages', () => {
  test('are let through by Sec-Fetch-Site, or by Origin where a browser sends nothing else', () => {
    for (const method of UNSAFE) {
      expect(refused({ 'sec-fetch-site': 'same-origin' }, { method })).toBe(false)
      expect(refused({ origin: 'https://fly.example.com' }, { method })).toBe(false)
    }
  })

  test('may write host and port in any form', () => {
    expect(refused({ host: 'FLY.example.com', origin: 'https://fly.example.com' })).toBe(false)
    expect(refused({ host: 'fly.example.com:443', origin: 'https://fly.example.com' })).toBe(false)
    expect(refused({ host: 'localhost:8080', origin: 'http://localhost:8080' })).toBe(false)
    expect(refused({ host: '[::1]:8080', origin: 'http://[::1]:8080' })).toBe(false)
    expect(refused({ host: 'localhost:8080', origin: 'http://localhost:8081' })).toBe(true)
  })

  test('come over https where the site does', () => {
    expect(refused({ origin: 'http://fly.example.com' }, { secure: true })).toBe(true)
    expect(refused({ origin: 'https://fly.example.com' }, { secure: true })).toBe(false)
    expect(refused({ origin: 'http://fly.example.com' }, { secure: false })).toBe(false)
  })
})

test('a client that sends neither is not a browser and is let through', () => {
  for (const method of UNSAFE) expect(refused({}, { method })).toBe(false)
  expect(refused({ referer: 'https://evil.example/' })).toBe(false)
})
