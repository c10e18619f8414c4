/** Answers that are sent while they are still being read. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/**
 * As fast as the client reads; one that goes away ends the reading. @throws what the reading throws: the connection is broken then, so
 * that nobody takes a part for the whole
 */
export async function sendChunks(chunks: AsyncIterable<string>, type: string, response: Response): Promise<void> {
  response.setHeader('content-type', type)
  try {
    await pipeline(Readable.from(chunks), response)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
