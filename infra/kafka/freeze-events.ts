/**
 * Writes the schemas of all events to contracts/events/samples/schemas.json, against which every later change is judged: run it when an
 * event is new or has got an optional field, and commit the file. A change that running services could not live with is refused: that is
 * a new version of the event, published beside the old one for a release. An event that nobody publishes any more goes with --retire <type>.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { eventType } from '@passerelle/contracts/event'
import { allEvents } from '@passerelle/contracts/events/all'
import { breaks, type JsonSchema, schemaOf } from '@passerelle/contracts/events/samples/compatibility'

const folder = new URL('../../packages/contracts/events/samples/', import.meta.url)
const file = new URL('schemas.json', folder)
const retired = process.argv[2] === '--retire' ? process.argv.slice(3) : []

const frozen = readFrozen()
const current = Object.fromEntries(allEvents.map((definition) => [eventType(definition), schemaOf(definition.schema)]))
const problems = Object.entries(frozen).flatMap(([type, schema]) => {
  const now = current[type]
  if (!now) return retired.includes(type) ? [] : [`${type}: is no longer published`]
  const sample: unknown = JSON.parse(readFileSync(new URL(`${type}.json`, folder), 'utf8'))
  return breaks(schema, now, sample).map((problem) => `${type}: ${problem}`)
})
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
const sorted = Object.fromEntries(Object.entries(current).sort(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
console.log(`${Object.keys(sorted).length} events frozen`)

function readFrozen(): Record<string, JsonSchema> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}
