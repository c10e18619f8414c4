/** An answer on its way out, held back until it is complete so that the same bytes can be kept for the next who asks. */
import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { nowMs } from '@passerelle/kit/runtime'
import { matches, sharedSeconds, variesByEncodingAlone } from './cache-headers.ts'

export type Answer = {
  /** Names and values in turn, in the order in which they are sent. */
  headers: string[]
  body: Buffer
  etag: string
  /** Milliseconds since 1970. */
  madeAt: number
  freshUntil: number
}

/** Of the connection, or of one answer; security headers are the gateway's own. */
const NOT_KEPT =
  /^(connection|keep-alive|transfer-encoding|content-length|date|age|x-cache|cache-status|ratelimit|x-request-id|x-content-type-options|referrer-policy|cross-origin-.*|permissions-policy|x-frame-options|strict-transport-security)$/

export type Capture = {
  /** For Cache-Status: why the answer did not come from memory. */
  status: string
  /** Seconds for which this kind of answer may be kept whatever its Cache-Control tells the browser. */
  keepSeconds: number | undefined
  /** Gets the answer when it may be kept. */
  keep(answer: Answer): void
}

/**
 * Holds an answer back until it is complete, gives it an ETag and offers it to `keep` when it may be kept.
 * @returns resolves once the answer is complete or has been given up
 */
export function capture(response: ServerResponse, { status, keepSeconds, keep }: Capture): Promise<void> {
  const chunks: Buffer[] = []
  const [write, end] = [response.write.bind(response), response.end.bind(response)]
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.write = ((...args: unknown[]) => {
      collect(chunks, args)
      callbackOf(args)?.()
      return true
    }) as ServerResponse['write']
    response.end = ((...args: unknown[]) => {
      collect(chunks, args)
      response.write = write
      response.end = end
      resolve()
      if (response.headersSent) return end(Buffer.concat(chunks), callbackOf(args))
      const answer = complete(response, Buffer.concat(chunks), keepSeconds)
      response.setHeader('cache-status', answer ? `${status}; stored` : status)
      if (!answer) return end(Buffer.concat(chunks), callbackOf(args))
      keep(answer)
      if (!matches(response.req.headers['if-none-match'], answer.etag)) return end(answer.body, callbackOf(args))
      response.statusCode = 304
      response.removeHeader('content-length')
      return end(callbackOf(args))
    }) as ServerResponse['end']
  })
}

function collect(chunks: Buffer[], [chunk, encoding]: unknown[]): void {
  if (chunk === undefined || chunk === null || typeof chunk === 'function') return
  const text = typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'
  chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, text) : (chunk as Buffer))
}

const callbackOf = (args: unknown[]) => args.find((arg) => typeof arg === 'function') as (() => void) | undefined

/** The answer as it is kept, with its ETag set on the response; undefined when it may not be. */
function complete(response: ServerResponse, body: Buffer, keepSeconds: number | undefined): Answer | undefined {
  const seconds = keepSeconds ?? sharedSeconds(String(response.getHeader('cache-control') ?? ''))
  const isForAll = response.statusCode === 200 && !response.hasHeader('set-cookie') && variesByEncodingAlone(response)
  if (!isForAll || seconds === 0) return undefined
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`
  response.setHeader('etag', etag)
  response.setHeader('content-length', body.length)
  const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) => (NOT_KEPT.test(name) ? [] : [name, String(value)]))
  const ageMs = Number(response.getHeader('age') ?? 0) * 1000
  return { headers, body, etag, madeAt: nowMs() - ageMs, freshUntil: nowMs() + seconds * 1000 }
}
