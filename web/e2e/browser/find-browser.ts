/**
 * The browser that tests run in: the one that CHROMIUM_PATH names, else one of this machine, else Playwright's own, else one from npm,
 * which needs nothing but a registry and Linux. `CHROMIUM_PATH=npm` takes that one at once.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

export type Browser = {
  path: string
  /** In words: which one, and from where. */
  what: string
  /** What it has to find in its environment. */
  environment: Record<string, string>
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const HOW = 'Install Chromium or Google Chrome, or name one: CHROMIUM_PATH=/path/to/chromium'
const START_MS = 20_000

/** @throws when there is none, or the one that was asked for does not start; says what to do */
export function findBrowser(wanted = process.env.CHROMIUM_PATH ?? '', path = process.env.PATH ?? ''): Browser {
  if (wanted === 'npm') return fromNpm()
  if (wanted) return started(wanted, 'CHROMIUM_PATH') ?? refuse(`CHROMIUM_PATH=${wanted} does not start. ${HOW}`)
  for (const place of placesOn(path)) {
    const found = started(place, 'of this machine')
    if (found) return found
  }
  return started(chromium.executablePath(), "Playwright's own") ?? fromNpm()
}

/** Programs that exist, once each. */
function placesOn(path: string): string[] {
  const named = path.split(delimiter).flatMap((folder) => (folder === '' ? [] : NAMES.map((name) => join(folder, name))))
  return [...new Set([...named, ...PLACES])].filter(existsSync)
}

/** Some distributions have a program of that name that only says how to install one, so each is asked for its version. */
function started(path: string, origin: string, environment: Record<string, string> = {}): Browser | null {
  const version = existsSync(path) ? versionOf(path, environment) : null
  return version === null ? null : { path, what: `${version}, ${origin}: ${path}`, environment }
}

function versionOf(path: string, environment: Record<string, string>): string | null {
  try {
    const env = { ...process.env, ...environment }
    return execFileSync(path, ['--no-sandbox', '--version'], {
      encoding: 'utf8',
      timeout: START_MS,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}

const folder = import.meta.dirname
const unpacked = join(folder, 'node_modules', '.unpacked')

/** Writes the package's browser, its fonts and the libraries that bare systems lack into the folder for temporary files. */
const UNPACK = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"

function fromNpm(): Browser {
  if (process.platform !== 'linux' || process.arch !== 'x64') return refuse(`There is no browser on this machine. ${HOW}`)
  if (!existsSync(join(unpacked, 'chromium'))) {
    console.log('Getting a browser from npm (67 MB, once)')
    install()
  }
  const path = join(unpacked, 'chromium')
  const origin = 'from npm'
  return (
    started(path, origin) ??
    started(path, `${origin} with libraries of its own`, librariesOfItsOwn()) ??
    refuse(`The browser from npm does not start on this machine. ${HOW}`)
  )
}

function install(): void {
  const run = (command: string, args: string[], env: Record<string, string> = {}) =>
    execFileSync(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  run('npm', ['ci', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  // Under another name until it is whole.
  const made = mkdtempSync(join(folder, 'node_modules', '.unpacking-'))
  run(process.execPath, ['--input-type=module', '--eval', UNPACK], { TMPDIR: made, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' })
  rmSync(unpacked, { recursive: true, force: true })
  renameSync(made, unpacked)
}

function librariesOfItsOwn(): Record<string, string> {
  const known = process.env.LD_LIBRARY_PATH
  return {
    LD_LIBRARY_PATH: [join(unpacked, 'al2023', 'lib'), ...(known ? [known] : [])].join(':'),
    FONTCONFIG_PATH: process.env.FONTCONFIG_PATH ?? join(unpacked, 'fonts'),
  }
}

function refuse(message: string): never {
  throw new Error(message)
}
