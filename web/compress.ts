/** Compresses what was built, once, so that the gateway never has to: a .br and a .gz beside every text file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = new URL('./dist/', import.meta.url).pathname
const TEXT = /\.(js|css|svg|json|txt|webmanifest)$/
/** Below this a compressed copy saves nothing on the wire. */
const LEAST_BYTES = 512

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXT.test(entry.name)) continue
  const path = join(entry.parentPath, entry.name)
  const bytes = readFileSync(path)
  if (bytes.length < LEAST_BYTES) continue
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  )
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}
