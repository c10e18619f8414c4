import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'express'
import { describe, expect, test } from 'vitest'
import { readCookie, sessionCookies } from './cookies.ts'

const token = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6'
const headers = (cookie?: string) => ({ cookie }) as IncomingHttpHeaders
function written(work: (response: Response) => void): string[] {
  const lines: string[] = []
  work({ appendHeader: (name: string, value: string) => lines.push(`${name}: ${value}`) } as unknown as Response)
  return lines
}

describe('reading', () => {
  test('finds a cookie by its whole name', () => {
    expect(readCookie(headers(`a=1; sid=${token}; b=2`), 'sid')).toBe(token)
    expect(readCookie(headers(`xsid=${token}`), 'sid')).toBeUndefined()
    expect(readCookie(headers(`sid.x=${token}`), 'sid')).toBeUndefined()
    expect(readCookie(headers('a=1;sid=;b'), 'sid')).toBe('')
    expect(readCookie(headers(), 'sid')).toBeUndefined()
  })

  test('takes only what can be a token of ours', () => {
    const cookies = sessionCookies(false)
    expect(cookies.read(headers(`sid=${token}`))).toBe(token)
    for (const odd of ['', 'short', `${token}.x`, `"${token}"`, 'x'.repeat(101), '%00'.repeat(10), '{"$ne":null}'.repeat(3)])
      expect(cookies.read(headers(`sid=${odd}`)), odd).toBeNull()
  })

  test('over https a plain sid, which any subdomain could set, does not count', () => {
    const cookies = sessionCookies(true)
    expect(cookies.read(headers(`sid=${token}`))).toBeNull()
    expect(cookies.read(headers(`__Host-sid=${token}`))).toBe(token)
  })
})

describe('writing', () => {
  test('R-80: HttpOnly and SameSite=Lax, and on https Secure with the __Host- prefix, for the whole site and no other host', () => {
    expect(written((response) => sessionCookies(false).write(response, token, 60))).toEqual([
      `set-cookie: sid=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax`,
    ])
    expect(written((response) => sessionCookies(true).write(response, token, 60))).toEqual([
      `set-cookie: __Host-sid=${token}; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
  })

  test('clearing names the same cookie with the same attributes', () => {
    expect(written((response) => sessionCookies(true).clear(response))).toEqual([
      'set-cookie: __Host-sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
  })
})
