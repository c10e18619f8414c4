/**
 * JSON compressed once per encoding, however often it is sent. For public responses only: next to a visitor's input, the compressed
 * length reveals secrets (BREACH).
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request } from 'express'
import { LRUCache } from 'lru-cache'

export type Encoding = 'br' | 'gzip'

export type Compressed = (encoding: Encoding) => Promise<Buffer>

const BROTLI_QUALITY = 5

const compress: Record<Encoding, (text: string | Buffer) => Promise<Buffer>> = {
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text) => promisify(gzip)(text),
}

export function compressible(text: string | Buffer): Compressed {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const packed = made.get(encoding) ?? compress[encoding](text)
    made.set(encoding, packed)
    return packed
  }
}

/** By what is asked for: clients send a few forms of it, and each request would be read anew. */
const accepted = new LRUCache<string, { encoding: Encoding | undefined }>({ max: 200 })

/** The best encoding that the client accepts; undefined: none. */
export function acceptedEncoding(request: Request): Encoding | undefined {
  const asked = request.headers['accept-encoding'] ?? ''
  const known = accepted.get(asked)
  if (known) return known.encoding
  const encoding = request.acceptsEncodings('br') ? 'br' : request.acceptsEncodings('gzip') ? 'gzip' : undefined
  accepted.set(asked, { encoding })
  return encoding
}
