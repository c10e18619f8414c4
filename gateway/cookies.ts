/** The session cookie: opaque, HttpOnly, SameSite=Lax; with the __Host- prefix and Secure where the site is served over https. */
import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { Response } from 'express'

export const BRAND_COOKIE = 'brand'

export type SessionCookies = {
  read(headers: IncomingHttpHeaders): string | null
  write(response: Response, token: string, maxAgeSeconds: number): void
  clear(response: Response): void
}

export function readCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  return cookie === undefined ? undefined : parseCookie(cookie)[name]
}

/** Adds a Set-Cookie header for the whole site. */
export function setCookie(response: Response, cookie: SetCookie): void {
  response.appendHeader('set-cookie', stringifySetCookie({ path: '/', sameSite: 'lax', ...cookie }))
}

export function sessionCookies(secure: boolean): SessionCookies {
  const name = secure ? '__Host-sid' : 'sid'
  const write = (response: Response, value: string, maxAge: number) => setCookie(response, { name, value, maxAge, httpOnly: true, secure })
  return {
    read(headers) {
      const token = readCookie(headers, name)
      return token && /^[A-Za-z0-9_-]{20,100}$/.test(token) ? token : null
    },
    write,
    clear: (response) => write(response, '', 0),
  }
}
