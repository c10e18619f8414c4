/** The session cookie: opaque, HttpOnly, SameSite=Lax; with the __Host- prefix and Secure where the site is served over https. */
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'

export const BRAND_COOKIE = 'brand'

export type SessionCookies = {
  read(request: Request): string | null
  write(response: Response, token: string, maxAgeSeconds: number): void
  clear(response: Response): void
}

export function readCookie(request: Request, name: string): string | undefined {
  return parseCookie(request.headers.cookie ?? '')[name]
}

/** Adds a Set-Cookie header for the whole site. */
export function setCookie(response: Response, cookie: SetCookie): void {
  response.appendHeader('set-cookie', stringifySetCookie({ path: '/', sameSite: 'lax', ...cookie }))
}

export function sessionCookies(secure: boolean): SessionCookies {
  const name = secure ? '__Host-sid' : 'sid'
  const write = (response: Response, value: string, maxAge: number) => setCookie(response, { name, value, maxAge, httpOnly: true, secure })
  return {
    read(request) {
      const token = readCookie(request, name)
      return token && /^[A-Za-z0-9_-]{20,100}$/.test(token) ? token : null
    },
    write,
    clear: (response) => write(response, '', 0),
  }
}
