/** What a request and an answer say about being kept: Cache-Control, Vary, If-None-Match and Accept-Encoding (RFC 9110, RFC 9111). */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

export type Encoding = 'br' | 'gzip' | 'identity'

/** The same choice as a service makes. */
export function encodingOf(accepted: string): Encoding {
  const parts = accepted.split(',').map((part) => ({ name: part.split(';')[0]?.trim().toLowerCase(), isRefused: ZERO.test(part) }))
  const named = (name: string) => parts.find((part) => part.name === name)
  const takes = (name: string) => {
    const part = named(name) ?? named('*')
    return part !== undefined && !part.isRefused
  }
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}

const ZERO = /;\s*q=0(\.0*)?\s*$/

/** The visitor asks for an answer that is not from memory. */
export function wantsFresh({ 'cache-control': control, pragma }: IncomingHttpHeaders): boolean {
  return control === undefined ? pragma === 'no-cache' : /\b(no-cache|max-age=0)\b/i.test(control)
}

/** The visitor asks that his answer be kept nowhere. */
export function wantsNothingKept({ 'cache-control': control }: IncomingHttpHeaders): boolean {
  return control !== undefined && /\bno-store\b/i.test(control)
}

/** Whether If-None-Match names this ETag; weak tags compare as strong ones do. */
export function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given === etag || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
}

/** Seconds for which a shared memory may keep what says this; 0: it may not. Only what is public and has a date of its own is kept. */
export function sharedSeconds(control: string): number {
  const said = new Map<string, string>()
  // A text in quotes is no directive, whatever it contains.
  const plain = control.toLowerCase().replace(/"[^"]*"/g, (text) => (/^"\d+"$/.test(text) ? text : ''))
  for (const part of plain.split(',')) {
    const [name = '', value = ''] = part.split('=')
    // Said twice, the shorter time holds.
    const before = said.get(name.trim())
    if (before === undefined || secondsOf(value) < secondsOf(before)) said.set(name.trim(), value.trim())
  }
  if (!said.has('public') || ['no-store', 'private', 'no-cache'].some((name) => said.has(name))) return 0
  return secondsOf(said.get('s-maxage') ?? said.get('max-age') ?? '')
}

function secondsOf(value: string): number {
  const digits = /^"?(\d+)"?$/.exec(value.trim())?.[1]
  return digits === undefined ? 0 : Math.min(Number(digits), 31_536_000)
}

/** Whether the same address gives the same answer to everybody, but for the encoding. */
export function variesByEncodingAlone(response: Pick<ServerResponse, 'getHeader'>): boolean {
  const vary = String(response.getHeader('vary') ?? '')
  return vary.split(',').every((name) => /^(accept-encoding)?$/i.test(name.trim()))
}
