/**
 * For tests, by `--import clock.ts?folder=...`: the process reads its clock some milliseconds off, as `clocks.json` in that folder says for its
 * admin port. The product takes its time from the kit, and only from there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceRuntime } from '@passerelle/kit/runtime'

const folder = new URL(import.meta.url).searchParams.get('folder')
const LOOK_MS = 200

/** Milliseconds that each process is off, by its admin port. */
export const setClocks = (dataDir: string, offsets: Record<string, number>) =>
  writeFileSync(join(dataDir, 'clocks.json'), JSON.stringify(offsets))

/** What makes the processes of a system take their time from here. */
export const clockOptions = (dataDir: string) =>
  `--import ${new URL('clock.ts', import.meta.url).href}?folder=${encodeURIComponent(dataDir)}`

if (folder) {
  let offset = 0
  const look = () => {
    try {
      offset = JSON.parse(readFileSync(join(folder, 'clocks.json'), 'utf8'))[process.env.ADMIN_PORT ?? ''] ?? 0
    } catch {
      // Nobody has set a clock yet, or it is being written.
    }
  }
  look()
  setInterval(look, LOOK_MS).unref()
  replaceRuntime({ now: () => Date.now() + offset })
}
