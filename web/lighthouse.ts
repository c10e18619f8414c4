/** Lighthouse against a running system: the median of some runs of each page that has a figure to hold, on a phone and on a desktop. */
import lighthouse, { desktopConfig } from 'lighthouse'
import { chromium } from 'playwright'
import { findBrowser } from './e2e/browser/find-browser.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Scores = Record<(typeof CATEGORIES)[number], number>
export type Measured = {
  page: string
  device: 'mobile' | 'desktop'
  scores: Scores
  least: Scores
  lcpMs: number
  blockedMs: number
  shift: number
}

const ALL = { accessibility: 100, 'best-practices': 100, seo: 100 }
const DESKTOP = { ...ALL, performance: 98 }
const DEBUG_PORT = 18_349

type Target = { page: string; path: string; least: Scores }

/** Pages whose figures are held. Results, detail and booking need a search and an offer that exist now. */
async function targetsOf(base: string): Promise<Target[]> {
  const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)
  const query = `origin=CDG&destination=JFK&departureDate=${day}&cabinClass=economy&adultsCount=1&childrenCount=0&infantsCount=0`
  const answer = await fetch(`${base}/api/flights/search?${query}&page=1&limit=30`)
  const { offers } = (await answer.json()) as { offers?: { id: string }[] }
  const offer = offers?.[0]?.id
  if (!offer) throw new Error(`${base} has no offers: ${answer.status}`)
  const content = { ...ALL, performance: 95 }
  const busy = { ...ALL, performance: 90 }
  return [
    { page: 'home', path: '/', least: content },
    { page: 'article', path: '/privacy', least: content },
    { page: 'questions', path: '/faq', least: content },
    { page: 'support', path: '/support', least: content },
    { page: 'contact', path: '/contact', least: content },
    { page: 'results', path: `/search?${query}&tripType=one-way`, least: busy },
    { page: 'offer', path: `/flight/${offer}`, least: busy },
    // Kept out of search engines on purpose.
    { page: 'booking', path: `/booking?offer=${offer}`, least: { ...busy, seo: 0 } },
  ]
}

/** `pages`: names of those to measure; all when there are none. */
export async function measure(base: string, runs: number, pages: readonly string[] = []): Promise<Measured[]> {
  const { path: executablePath, environment } = findBrowser()
  Object.assign(process.env, environment)
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', `--remote-debugging-port=${DEBUG_PORT}`]
  const browser = await chromium.launch({ executablePath, args })
  try {
    const measured: Measured[] = []
    for (const target of await targetsOf(base)) {
      if (pages.length > 0 && !pages.includes(target.page)) continue
      for (const device of ['mobile', 'desktop'] as const) measured.push(await medianOf(base, target, device, runs))
    }
    return measured
  } finally {
    await browser.close()
  }
}

async function medianOf(base: string, { page, path, least }: Target, device: Measured['device'], runs: number): Promise<Measured> {
  const all: Omit<Measured, 'page' | 'device' | 'least'>[] = []
  for (let run = 0; run < runs; run++) {
    const options = { port: DEBUG_PORT, logLevel: 'error' as const, onlyCategories: [...CATEGORIES] }
    const result = await lighthouse(base + path, options, device === 'desktop' ? desktopConfig : undefined)
    if (!result) throw new Error(`Lighthouse gave no result for ${path}`)
    const { categories, audits } = result.lhr
    const figure = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
    all.push({
      scores: Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)])) as Scores,
      lcpMs: figure('largest-contentful-paint'),
      blockedMs: figure('total-blocking-time'),
      shift: figure('cumulative-layout-shift'),
    })
  }
  const median = (of: (one: (typeof all)[number]) => number) => all.map(of).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
  return {
    ...{ page, device, least: device === 'desktop' ? { ...DESKTOP, seo: least.seo } : least },
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, median(({ scores }) => scores[name])])) as Scores,
    ...{ lcpMs: median(({ lcpMs }) => lcpMs), blockedMs: median(({ blockedMs }) => blockedMs), shift: median(({ shift }) => shift) },
  }
}

export function tableOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ page, device, scores, lcpMs, blockedMs, shift }) =>
    [
      `${page.padEnd(10)} ${device.padEnd(8)}`,
      ...CATEGORIES.map((name) => String(scores[name]).padStart(name.length)),
      `${(lcpMs / 1000).toFixed(1)} s`.padStart(6),
      `${Math.round(blockedMs)} ms`.padStart(8),
      shift.toFixed(3),
    ].join('  '),
  )
  return [`Lighthouse           ${CATEGORIES.join('  ')}     LCP  blocked  shift`, ...rows].join('\n')
}

/** What is under its figure, in words. */
export function shortfalls(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ page, device, scores, least }) =>
    CATEGORIES.filter((name) => scores[name] < least[name]).map(
      (name) => `${page}, ${device}: ${name} ${scores[name]}, and ${least[name]} is wanted`,
    ),
  )
}
