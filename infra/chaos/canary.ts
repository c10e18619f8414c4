/**
 * `node infra/chaos/canary.ts [journeys=200] [kill after=9] [seed=1]`: journeys, good and bad, with marked card numbers, codes, passports and
 * passwords, on one process per service; after every so many journeys one process is killed with SIGKILL in the middle of the next one. Then
 * everything that the system has written and kept is looked through: no mark may be anywhere.
 */
import { delay } from '@passerelle/kit/runtime'
import { watchedSystem } from '@passerelle/local/canary.fixture'
import { canaries, FIRST_NAME, marks } from '@passerelle/local/canary-journeys.fixture'
import { findSecrets, placesOfCode } from '@passerelle/local/canary-search.fixture'
import { counted, finish, must, mustBeNone, ownFolder, say, seededRandom } from './campaign.ts'

const [count = 200, killAfter = 9, seed = 1] = process.argv.slice(2).map(Number)
const [random, folder] = [seededRandom(seed), ownFolder()]
say(`data ${folder}`, { journeys: count, killAfter, seed })
const services = ['booking', 'payment', 'identity', 'gateway', 'search', 'brand']

const system = await watchedSystem({ ORDER_SEND_WITHIN_MS: '1000', ORDER_LONGEST_MS: '4000' }, { mode: 'processes', dataDir: folder })
const { told, journeys } = canaries(system)
const kinds = Object.entries(journeys)
const ends: string[] = []
let kills = 0

async function killSoon(): Promise<void> {
  await delay(100 + random() * 900)
  const service = services[kills % services.length] ?? ''
  await system.crash(service).then(
    () => kills++,
    () => say(`${service} was not running`),
  )
}

for (let i = 0; i < count; i++) {
  const [name, take] = kinds[i % kinds.length] as (typeof kinds)[number]
  const killing = i % killAfter === killAfter - 1 ? killSoon() : undefined
  ends.push(
    `${name} ${await take().then(
      () => 'to its end',
      () => 'cut short',
    )}`,
  )
  if (killing) {
    await killing
    // Until the launcher has started it again.
    await delay(5000)
  }
  if ((i + 1) % 20 === 0) say(`${i + 1} of ${count} journeys, ${kills} kills`)
}
say('journeys', counted(ends))
must(
  'journeys of every kind came to their end',
  kinds.every(([name]) => ends.includes(`${name} to its end`)),
)

// Mails and events that are still due.
await delay(15_000)
const stores = await system.stores()
say('looked through', Object.fromEntries([...stores].map(([place, { length }]) => [place, `${Math.ceil(length / 1024)} KiB`])))
const { card, ...others } = marks
const nowhere = [card.number, card.holderName, ...Object.values(others), ...told.generated, ...told.sessionTokens]
const inMailsAlone = told.links
const personal = [FIRST_NAME, ...told.emails]
const found = findSecrets(stores, [...nowhere, ...inMailsAlone, ...personal, ...told.references])
const placesOf = (secrets: readonly string[], allowed: RegExp = /^$/) =>
  secrets.flatMap((secret) => (found.get(secret) ?? []).filter((place) => !allowed.test(place)))

for (const place of ['mongo booking.bookings', 'kafka booking.events', 'mails'])
  mustBeNone(
    `booking references are found in ${place}, so it is really looked through`,
    told.references,
    (one) => !found.get(one)?.includes(place),
  )
for (const place of ['output', 'traces', 'metrics', 'redis']) must(`${place} is not empty`, (stores.get(place) ?? '').length > 1000)
mustBeNone(`${nowhere.length} marks, passwords and session tokens are nowhere`, placesOf(nowhere), () => true)
mustBeNone('the code of the card is nowhere', placesOfCode(stores, card.cvv), () => true)
mustBeNone('links are in their mails alone', placesOf(inMailsAlone, /^mails$/), () => true)
mustBeNone('names and addresses are in databases and mails alone', placesOf(personal, /^(mails|mongo|file mongo)/), () => true)
await system.stop()
finish()
