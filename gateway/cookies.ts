/** The session cookie: opaque, HttpOnly, SameSite=Lax; with the __Host- prefix and Secure wherever the site is served over https. */
import type { Request, Response } from 'express'

export type SessionCookies = {
  read(request: Request): string | null
  write(response: Response, token: string, maxAgeSeconds: number): void
  clear(response: Response): void
}

export function readCookie(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

export function sessionCookies(secure: boolean): SessionCookies {
  const name = secure ? '__Host-sid' : 'sid'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read(request) {
      const token = readCookie(request, name)
      return token && /^[A-Za-z0-9_-]{20,100}$/.test(token) ? token : null
    },
    write(response, token, maxAgeSeconds) {
      response.appendHeader('set-cookie', `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`)
    },
    clear(response) {
      response.appendHeader('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
    },
  }
}
