/**
 * Prints what a first visit of each screen loads, compressed as it is sent, and with LIGHTHOUSE_URL, the address of a running system,
 * Lighthouse's scores beside it: the median of LIGHTHOUSE_RUNS, 5 unless told, of all pages or of LIGHTHOUSE_PAGES, e.g. home,booking. Fails when a figure is missed.
 */
import { readFileSync, statSync } from 'node:fs'
import { measure, shortfalls, tableOf } from './lighthouse.ts'

const KIB = 1024
/** Brotli, KiB. React, the router and the queries alone are 92.5: docs/decisions/0018-the-entry-is-its-libraries.md. */
const ENTRY = 85
/** A screen's scripts beside the entry. */
const SCREEN = 55

type Page = { path: string; scripts: string[]; styles: string[] }
type Chunk = { file: string; isEntry?: boolean; css?: string[] }

const dist = new URL('./dist/', import.meta.url)
const json = (name: string) => JSON.parse(readFileSync(new URL(name, dist), 'utf8')) as unknown

/** As it is sent: a file that is too small for a compressed copy goes as it is. */
function sent(file: string): number {
  const path = new URL(file.replace(/^\//, ''), dist).pathname
  return (statSync(`${path}.br`, { throwIfNoEntry: false }) ?? statSync(path)).size / KIB
}
const sum = (files: readonly string[]) => files.map(sent).reduce((all, one) => all + one, 0)

const entry = Object.values(json('.vite/manifest.json') as Record<string, Chunk>).find((chunk) => chunk.isEntry)
if (!entry) throw new Error('The build has no entry')
const entrySize = sent(entry.file)
const rows = (json('pages.json') as Page[])
  .filter(({ path }) => path !== '*')
  .map(({ path, scripts, styles }) => {
    const [own, css] = [sum(scripts), sum(styles) + sum(entry.css ?? [])]
    return { path, own, css, all: entrySize + own + css, files: 1 + scripts.length }
  })

const text = (size: number) => size.toFixed(1).padStart(7)
const lines = [
  `KiB, brotli      scripts  styles  first view  files`,
  `entry           ${text(entrySize)} ${text(sum(entry.css ?? []))}`,
  ...rows.map(
    ({ path, own, css, all, files }) => `${path.padEnd(16)}${text(own)} ${text(css)}     ${text(all)}  ${String(files).padStart(5)}`,
  ),
  `budget          ${text(ENTRY)} entry, ${SCREEN} a screen`,
]
process.stdout.write(`${lines.join('\n')}\n`)

const over = [
  ...(entrySize > ENTRY ? [`The entry is over ${ENTRY} KiB`] : []),
  ...rows.filter(({ own }) => own > SCREEN).map(({ path }) => `${path} is over ${SCREEN} KiB`),
]
const address = process.env.LIGHTHOUSE_URL
if (address) {
  const measured = await measure(
    address.replace(/\/$/, ''),
    Number(process.env.LIGHTHOUSE_RUNS ?? 5),
    process.env.LIGHTHOUSE_PAGES?.split(','),
  )
  process.stdout.write(`\n${tableOf(measured)}\n`)
  over.push(...shortfalls(measured))
}

for (const line of over) process.stderr.write(`${line}\n`)
if (over.length > 0) process.exitCode = 1
