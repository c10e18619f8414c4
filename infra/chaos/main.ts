/**
 * `make chaos SCENARIO= SEED= MINUTES= BOOKINGS=` (also RATE, KILLS, REPEAT, REACH, FROM): one campaign on a system of its own. Ends with 1 when a
 * line does not hold or a mark was not reached, and keeps the data folder then; with 2 when it was asked for what is not there.
 */
import { relative, resolve } from 'node:path'
import { brokenLines, machineLoad, mark, must, ownFolder, record, say } from './campaign.ts'
import { writePage } from './report.ts'
import { scenarios } from './scenarios.ts'

const given = process.env
const name = given.SCENARIO || 'everything'
const scenario = scenarios[name]
if (!scenario) {
  console.error(`${name === 'list' ? 'The scenarios' : `There is no scenario ${name}. There are`}:\n`)
  for (const [one, { hurts, usual }] of Object.entries(scenarios))
    console.error(`  ${one.padEnd(18)}${hurts} (BOOKINGS=${usual.bookings} RATE=${usual.rate})`)
  process.exit(name === 'list' ? 0 : 2)
}

function number(setting: string, usual: number): number {
  const value = Number(given[setting] || usual)
  if (Number.isFinite(value) && value > 0) return value
  console.error(`${setting} has to be a number above 0: ${given[setting]}`)
  process.exit(2)
}

const { usual, claims } = scenario
const seed = number('SEED', 1)
const rate = number('RATE', usual.rate)
const minutes = number('MINUTES', usual.minutes ?? 600)
const bookings = number('BOOKINGS', given.MINUTES && !usual.minutes ? Math.ceil(minutes * 60 * rate) : usual.bookings)
const kills = number('KILLS', Math.max(1, Math.round(((usual.kills ?? 1) * bookings) / usual.bookings)))
const repeat = number('REPEAT', 5)
const needed = number('REACH', 1)
const asked = {
  BOOKINGS: bookings,
  RATE: rate,
  KILLS: kills,
  MINUTES: given.MINUTES,
  REPEAT: given.REPEAT,
  POINTS: given.POINTS,
  FROM: given.FROM,
  REACH: given.REACH,
}
const words = Object.entries(asked).flatMap(([setting, value]) => (value ? [`${setting}=${value}`] : []))
const command = `make chaos SCENARIO=${name} SEED=${seed} ${words.join(' ')}`
const folder = ownFolder()
say(`${command} (data ${folder})`)

try {
  await scenario.run({ ...{ seed, bookings, rate, minutes, kills, repeat, reach: needed, folder } })
} catch (error) {
  must('the campaign came to its end', false, error instanceof Error ? (error.stack ?? error.message) : String(error))
}
for (const [lane, those] of Map.groupBy(record.moments, (one) => one.lane)) mark(lane, those.length)
const reached = claims.map((claim) => ({ name: claim, times: record.marks.get(claim) ?? 0, needed }))
const missed = reached.filter(({ times }) => times < needed)
say(
  `reached ${reached.length - missed.length} of ${reached.length} marks ${needed} times or more`,
  missed.length === 0 ? '' : missed.map((one) => `${one.name}: ${one.times}`),
)
const page = writePage(resolve('chaos-results'), {
  ...{ scenario: name, hurts: scenario.hurts, command, ended: Date.now(), claims: reached, machine: machineLoad() },
  ...record,
})
const failed = brokenLines() + missed.length > 0
say(`${failed ? 'FAILED' : 'everything held'}; the page of this run: ${relative(process.cwd(), page)}`)
process.exit(failed ? 1 : 0)
