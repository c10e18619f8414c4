/** The figures of a run as tables, and what limits each. */
import { availableParallelism } from 'node:os'

export type Measured = { rate: number; p99Ms: number; failed: number; cpuMicros: number }
export type Candidate = { name: string; url: string; pid: number | undefined; turns: Measured[] }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const of = (field: keyof Measured) => (candidate: Candidate) => median(candidate.turns.map((turn) => turn[field]))
const [rate, p99, cpu] = [of('rate'), of('p99Ms'), of('cpuMicros')]

export type Compared = { what: string; one: Candidate; other: Candidate | undefined; least: string; limitedBy: string }

export type Run = { turns: number; seconds: number; connections: number; loads: number[]; servers: string }

export function report(
  candidates: readonly Candidate[],
  compared: readonly Compared[],
  { turns, seconds, connections, loads, servers }: Run,
): string {
  const count = (value: number) => Math.round(value).toLocaleString('en')
  const ratio = (value: number) => (Number.isFinite(value) ? value.toFixed(2) : '-')
  return [
    '| | requests/s | p99 ms | CPU µs an answer | failed |',
    '|---|---|---|---|---|',
    ...candidates.map((one) => {
      const failed = one.turns.reduce((sum, turn) => sum + turn.failed, 0)
      return `| ${one.name} | ${count(rate(one))} | ${p99(one).toFixed(1)} | ${cpu(one) ? Math.round(cpu(one)) : '-'} | ${failed} |`
    }),
    '',
    '| Ratio | by requests/s | by CPU | p99 | wanted | what limits it |',
    '|---|---|---|---|---|---|',
    ...compared.map(({ what, one, other, least, limitedBy }) =>
      other
        ? `| ${what} | ${ratio(rate(one) / rate(other))} | ${ratio(cpu(other) / cpu(one))} | ${ratio(p99(one) / p99(other))} | ${least} | ${limitedBy} |`
        : `| ${what} | not measured: it is not on this machine | | | ${least} | ${limitedBy} |`,
    ),
    '',
    `Medians of ${turns} turns of ${seconds} s, ${connections} connections, one thread of wrk, everything on one machine: ${availableParallelism()} cores, load ` +
      `${loads.map((load) => load.toFixed(1)).join(', ')} (before, between and after), ${servers} MongoDB, Kafka and Redis, Node ${process.version}.`,
  ].join('\n')
}
