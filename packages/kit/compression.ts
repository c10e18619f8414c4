/**
 * JSON compressed once per encoding, however often it is sent. For public responses only: next to a visitor's input, the compressed
 * length reveals secrets (BREACH).
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request } from 'express'

export type Encoding = 'br' | 'gzip'

export type Compressed = (encoding: Encoding) => Promise<Buffer>

const BROTLI_QUALITY = 5

const compress: Record<Encoding, (text: string) => Promise<Buffer>> = {
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

export function compressible(text: string): Compressed {
  const made = new Map<Encoding, Promise<Buffer>>()
  return (encoding) => {
    const packed = made.get(encoding) ?? compress[encoding](text)
    made.set(encoding, packed)
    return packed
  }
}

/** The best encoding that the client accepts; undefined: none. */
export function acceptedEncoding(request: Request): Encoding | undefined {
  if (request.acceptsEncodings('br')) return 'br'
  return request.acceptsEncodings('gzip') ? 'gzip' : undefined
}
