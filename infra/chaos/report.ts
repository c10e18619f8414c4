/** The page of a run: verdict, lines, marks, and a picture of what happened when. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '@passerelle/contracts/rules/letter'
import type { Line, Moment } from './campaign.ts'

export type Page = {
  scenario: string
  hurts: string
  /** The command that does it again. */
  command: string
  began: number
  ended: number
  lines: readonly Line[]
  moments: readonly Moment[]
  /** What was to be reached, and how often it was. */
  claims: readonly { name: string; times: number; needed: number }[]
  marks: ReadonlyMap<string, number>
  bookings: readonly { from: number; history: readonly { at: number; state: string }[] }[]
  said: readonly string[]
  machine: string
}

/** Writes `summary.md` and `timeline.svg` into a folder of the run's own; returns the page's path. */
export function writePage(results: string, page: Page): string {
  const name = `${page.scenario}-${new Date(page.began).toISOString().slice(0, 19).replace(/[:T]/g, '-')}`
  const folder = join(results, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'timeline.svg'), timeline(page))
  writeFileSync(join(folder, 'summary.md'), summary(page))
  return join(folder, 'summary.md')
}

const cell = (text: string) => text.replaceAll('|', '\\|').slice(0, 400)
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

export function summary({ scenario, hurts, command, began, ended, lines, claims, marks, said, machine }: Page): string {
  const broken = lines.filter(({ holds }) => !holds)
  const missed = claims.filter(({ times, needed }) => times < needed)
  const verdict =
    broken.length + missed.length === 0 ? 'Everything held' : `${broken.length} lines broken, ${missed.length} marks not reached`
  const others = [...marks].filter(([name]) => !claims.some((one) => one.name === name)).sort()
  return `# ${scenario}: ${verdict}

${hurts}.

\`${command}\`, ${new Date(began).toISOString().slice(0, 19)} for ${Math.round((ended - began) / 1000)} s; load of the machine ${machine}

![What happened when](timeline.svg)

## Lines

${table(
  ['', 'Line', 'Found'],
  lines
    .toSorted((a, b) => Number(a.holds) - Number(b.holds))
    .map(({ what, holds, detail }) => [holds ? 'holds' : '**broken**', what, detail]),
)}

## Reached

${table(
  ['', 'Mark', 'Times', 'Needed'],
  claims.map(({ name, times, needed }) => [times >= needed ? 'reached' : '**missed**', name, String(times), String(needed)]),
)}

Also reached: ${others.map(([name, times]) => `${name} ${times}`).join(', ') || 'nothing'}.

## Log

\`\`\`
${said.join('\n')}
\`\`\`
`
}

const WIDTH = 1000
const LEFT = 190
const ROW = 18
const GRAPH = 160
const COLUMNS = 200
const ENDED = new Set(['CONFIRMED', 'COMPLETED', 'REFUNDED', 'ORDER_CANCELLED'])

/** Lanes of what was done above, bookings that were open below, and how many were confirmed and failed so far. */
export function timeline({ began, ended, moments, bookings }: Pick<Page, 'began' | 'ended' | 'moments' | 'bookings'>): string {
  const span = Math.max(1, ended - began)
  const x = (at: number) => Math.round(LEFT + ((at - began) / span) * (WIDTH - LEFT - 10))
  const lanes = [...Map.groupBy(moments, ({ lane }) => lane)].sort(([one], [other]) => one.localeCompare(other))
  const top = lanes.length * ROW + 20
  const height = top + GRAPH + 40
  const text = (left: number, y: number, words: string) => `<text x="${left}" y="${y}">${escapeHtml(words)}</text>`
  const drawn = lanes.flatMap(([lane, those], row) => [
    text(4, row * ROW + 14, `${lane} (${those.length})`),
    ...those.map(
      ({ at, ms = 0 }) => `<rect class="done" x="${x(at)}" y="${row * ROW + 4}" width="${Math.max(2, x(at + ms) - x(at))}" height="12"/>`,
    ),
  ])
  const times = Array.from({ length: COLUMNS + 1 }, (_, i) => began + (span * i) / COLUMNS)
  const stateAt = (booking: Page['bookings'][number], at: number) => booking.history.findLast((one) => one.at <= at)?.state
  const counts = times.map((at) => {
    const states = bookings.filter(({ from }) => from <= at).map((booking) => stateAt(booking, at) ?? 'REQUESTED')
    const good = states.filter((state) => ENDED.has(state)).length
    const failed = states.filter((state) => state === 'FAILED').length
    return { at, good, failed, open: states.length - good - failed }
  })
  const mostOpen = Math.max(1, ...counts.map(({ open }) => open))
  const most = Math.max(1, bookings.length)
  const bottom = top + GRAPH
  const y = (value: number, of: number) => Math.round(bottom - (value / of) * GRAPH)
  const line = (kind: 'good' | 'failed') =>
    `<polyline class="${kind}" points="${counts.map((one) => `${x(one.at)},${y(one[kind], most)}`).join(' ')}"/>`
  const open = counts.map(
    (one) => `<rect class="open" x="${x(one.at)}" y="${y(one.open, mostOpen)}" width="4" height="${bottom - y(one.open, mostOpen)}"/>`,
  )
  const last = counts.at(-1)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<style>text{font:11px sans-serif;fill:#222}.done{fill:#b3261e}.open{fill:#c9d7ee}.good{fill:none;stroke:#1b7f4b;stroke-width:2}.failed{fill:none;stroke:#8a5a00;stroke-width:2}.frame{fill:none;stroke:#999}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${drawn.join('\n')}
${open.join('\n')}
${line('good')}
${line('failed')}
<rect class="frame" x="${LEFT}" y="${top}" width="${WIDTH - LEFT - 10}" height="${GRAPH}"/>
${text(4, top + 14, `bars: open, most ${mostOpen}`)}
${text(4, top + 30, `green: booked, ${last?.good ?? 0} of ${bookings.length}`)}
${text(4, top + 46, `brown: failed, ${last?.failed ?? 0}`)}
${text(LEFT, bottom + 16, new Date(began).toISOString().slice(11, 19))}
${text(WIDTH - 60, bottom + 16, new Date(ended).toISOString().slice(11, 19))}
</svg>
`
}
