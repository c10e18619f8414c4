/** The summary of a run: as text on the screen, as a file, and as a picture of the answer times. Files go where RESULTS says. */

type Metric = { type: string; values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }
export type Summary = { metrics: Record<string, Metric>; state: { testRunDurationMs: number } }

const value = (metric: Metric | undefined, name: string) => metric?.values[name] ?? 0
const ms = (number: number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)))
const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** One row per named call: how many, and the answer times in ms. */
function rowsOf({ metrics }: Summary) {
  return Object.entries(metrics).flatMap(([key, metric]) => {
    const [, name] = /^http_req_duration\{name:(\w+)\}$/.exec(key) ?? []
    return name && value(metric, 'count') > 0 ? [{ name, metric }] : []
  })
}

export function textOf(scenario: string, summary: Summary): string {
  const { metrics, state } = summary
  const broken = Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([threshold]) => `${name} ${threshold}`),
  )
  return [
    `${scenario}: ${Math.round(state.testRunDurationMs / 1000)} s, ${value(metrics.http_reqs, 'count')} requests, ${value(metrics.http_reqs, 'rate').toFixed(1)} a second`,
    `  failed ${percent(value(metrics.http_req_failed, 'rate'))}, refused (429, 503) ${value(metrics.requests_shed, 'count')}, left out ${value(metrics.dropped_iterations, 'count')}`,
    `  searches from a cache ${percent(value(metrics.search_cache_hits, 'rate'))}, prices that differed ${value(metrics.offer_price_mismatch, 'count')}`,
    `  ${'answer times, ms'.padEnd(18)}${['requests', 'median', 'p95', 'p99', 'max'].map((head) => head.padStart(10)).join('')}`,
    ...rowsOf(summary).map(
      ({ name, metric }) =>
        `  ${name.padEnd(18)}${[String(value(metric, 'count')), ...['med', 'p(95)', 'p(99)', 'max'].map((one) => ms(value(metric, one)))].map((cell) => cell.padStart(10)).join('')}`,
    ),
    broken.length > 0 ? `  broken thresholds: ${broken.join('; ')}` : '  every threshold holds',
    '',
  ].join('\n')
}

/** Bars of median, p95 and p99 per call on a logarithmic scale from 0.1 ms to 100 s. */
export function pictureOf(scenario: string, summary: Summary): string {
  const rows = rowsOf(summary)
  const x = (milliseconds: number) => 120 + (Math.log10(Math.max(0.1, milliseconds)) + 1) * 100
  const bar = (y: number, milliseconds: number, colour: string) =>
    `<rect x="120" y="${y}" width="${(x(milliseconds) - 120).toFixed(1)}" height="8" fill="${colour}"/><text x="${(x(milliseconds) + 4).toFixed(1)}" y="${y + 8}">${ms(milliseconds)}</text>`
  const calls = rows.map(({ name, metric }, index) => {
    const y = 50 + index * 40
    const bars = [
      ['med', '#1d4ed8'],
      ['p(95)', '#60a5fa'],
      ['p(99)', '#bfdbfe'],
    ].map(([one = '', colour = ''], row) => bar(y + row * 10, value(metric, one), colour))
    return `<text x="8" y="${y + 18}">${name}</text>${bars.join('')}`
  })
  const ticks = [1, 10, 100, 1000, 10_000].map(
    (tick) => `<line x1="${x(tick)}" x2="${x(tick)}" y1="40" y2="${50 + rows.length * 40}" stroke="#ddd"/>`,
  )
  const title = `${scenario}: answer times in ms (median, p95, p99), ${value(summary.metrics.http_reqs, 'rate').toFixed(0)} requests a second`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="${70 + rows.length * 40}" font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="#fff"/><text x="8" y="20" font-size="13">${title}</text>${ticks.join('')}${calls.join('')}</svg>\n`
}

/** What a scenario exports as `handleSummary`. */
export function reportOf(scenario: string) {
  return (summary: Summary): Record<string, string> => {
    const text = textOf(scenario, summary)
    const folder = __ENV.RESULTS
    return {
      stdout: text,
      ...(folder && {
        [`${folder}/${scenario}.txt`]: text,
        [`${folder}/${scenario}.json`]: `${JSON.stringify(summary, null, 1)}\n`,
        [`${folder}/${scenario}.svg`]: pictureOf(scenario, summary),
      }),
    }
  }
}
