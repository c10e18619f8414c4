/**
 * `node infra/chaos/kafka-poison.ts [good=10000] [poison=500] [seed=1]`: on real Kafka and MongoDB, events that cannot be read or handled lie
 * among good ones of the same bookings. Then the handler is mended and the dead letters are dealt with by the tool's own words.
 */
import { runDlq } from '@passerelle/infra-kafka/dlq-command'
import { delay } from '@passerelle/kit/runtime'
import type { Message } from 'kafkajs'
import { deadLetters, disordered, effectsOf, GROUP, joinGroup, openLab, publisher, secondsToDrain, step, TOPIC } from './kafka-lab.ts'
import { counted, holdsAll, must, say, sayLoad, seededRandom } from './verdict.ts'

const [good = 10_000, poison = 500, seed = 1] = process.argv.slice(2).map(Number)
const BOOKINGS = 300
const PIECE = 200

const random = seededRandom(seed)
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const lab = await openLab()
say(`${good} good events, ${poison} poisonous, seed ${seed}, ${lab.KAFKA_BROKERS}, ${lab.MONGO_URL}`)

let broken = true
const fatal: unknown[] = []
const fail = (bookingId: string) => {
  if (broken && bookingId.startsWith('type')) (undefined as unknown as { boom(): void }).boom()
  if (broken && bookingId.startsWith('range')) throw new RangeError('out of reach')
}
const members = await Promise.all([1, 2].map(() => joinGroup(lab, lab.mongo, (error) => fatal.push(error), fail)))
const bus = await publisher(lab)
const producer = lab.kafka.producer({ allowAutoTopicCreation: false })
await producer.connect()

const about = (id: string, type = 'travel.booking.pending.v1') => ({ ce_id: id, ce_type: type })
const whole = { bookingId: 'b1', reference: 'ABCDEFGH', brand: 'default', mode: 'test', paymentId: 'pay_1' }
/** What a message may be like that no consumer can read. */
const unreadable: Record<string, (id: string) => Omit<Message, 'key'>> = {
  'cut off': (id) => ({ value: JSON.stringify(whole).slice(0, 30), headers: about(id) }),
  'no JSON': (id) => ({ value: 'SyntaxError', headers: about(id) }),
  'no value': (id) => ({ value: null, headers: about(id) }),
  'null as JSON': (id) => ({ value: 'null', headers: about(id) }),
  'field missing': (id) => ({ value: JSON.stringify({ ...whole, reference: undefined }), headers: about(id) }),
  'field of another type': (id) => ({ value: JSON.stringify({ ...whole, mode: 7 }), headers: about(id) }),
  'no type': (id) => ({ value: JSON.stringify(whole), headers: { ce_id: id } }),
  'no id': () => ({ value: JSON.stringify(whole), headers: { ce_type: 'travel.booking.pending.v1' } }),
  'bytes that are no text': (id) => ({ value: Buffer.from([0xff, 0xfe, 0x00, 0x80]), headers: about(id) }),
}
/** And what it may be like to be no business of this group: not a dead letter. */
const foreign = (id: string): Omit<Message, 'key'> => ({ value: JSON.stringify(whole), headers: about(id, 'travel.booking.pending.v99') })

const large = Math.min(5, poison)
const failing = Math.floor(poison * 0.12)
const kinds = [
  ...Array.from({ length: large }, () => 'almost 1 MiB'),
  ...Array.from({ length: failing }, (_, i) => (i % 2 === 0 ? 'TypeError in the handler' : 'RangeError in the handler')),
  ...Array.from({ length: poison - large - failing }, () => pick(Object.keys(unreadable))),
]
const lot = [...kinds, ...Array.from({ length: 50 }, () => 'version 99'), ...Array.from({ length: good }, () => 'good')]
  .map((kind) => ({ kind, place: random() }))
  .sort((one, other) => one.place - other.place)
  .map(({ kind }) => kind)
say(`poison: ${JSON.stringify(counted(kinds))}, and 50 of a version that nobody knows`)

const sequences = new Map<string, number>()
const told: string[] = []
const mended: string[] = []
const began = performance.now()
for (let i = 0; i < lot.length; i += PIECE) {
  const raw: Message[] = []
  const events = lot.slice(i, i + PIECE).flatMap((kind, n) => {
    const key = `b${Math.floor(random() * BOOKINGS)}`
    const id = `poison-${i + n}`
    if (kind === 'good') {
      const sequence = (sequences.get(key) ?? 0) + 1
      sequences.set(key, sequence)
      return [step(key, sequence)]
    }
    if (kind.endsWith('in the handler')) {
      const event = step(`${kind.startsWith('Type') ? 'type' : 'range'}-${i + n}`, 1)
      mended.push(event.id)
      return [event]
    }
    if (kind === 'almost 1 MiB') raw.push({ key, value: 'x'.repeat(1_000_000), headers: about(id) })
    else raw.push({ key, ...(kind === 'version 99' ? foreign(id) : unreadable[kind]?.(id)) } as Message)
    return []
  })
  const [bulky, small] = [raw.filter((one) => (one.value?.length ?? 0) > 1000), raw.filter((one) => (one.value?.length ?? 0) <= 1000)]
  await bus.publish(events)
  await producer.send({ topic: TOPIC, acks: -1, messages: small })
  for (const message of bulky) await producer.send({ topic: TOPIC, acks: -1, messages: [message] })
  told.push(...events.map(({ id }) => id).filter((id) => !mended.includes(id)))
}
await producer.disconnect()
say(`all sent in ${((performance.now() - began) / 1000).toFixed(1)} s`)
const drained = await secondsToDrain(lab.kafka, 900)
say(`all worked off ${drained.toFixed(1)} s later (each failing handler has its four pauses, 7.6 s)`)

const effectsOn = async () => effectsOf(lab.mongo).find().toArray()
const effects = await effectsOn()
const letters = await deadLetters(lab.kafka)
say(`dead letters by reason: ${JSON.stringify(counted(letters.map(({ reason }) => reason)))}`)
const wanted = new Set(told)
must(
  'every good event has had its effect',
  effects.length === good && effects.every(({ _id }) => wanted.has(_id)),
  `${effects.length} of ${good}`,
)
must(
  'and once',
  effects.every(({ runs }) => runs === 1),
)
must('every poisonous one is a dead letter', letters.length === poison, `${letters.length} of ${poison}`)
must(
  'each says where it came from',
  letters.every(({ origin }) => origin.topic === TOPIC && origin.partition !== '' && origin.offset !== ''),
)
must(
  'no value was lost',
  letters.every(({ valueLeft }) => !valueLeft) && letters.filter(({ value }) => value?.length === 1_000_000).length === large,
  `${large} of almost 1 MiB`,
)
const wrong = await disordered(lab.mongo)
must('the good steps of every booking came in order', wrong.length === 0, `${wrong.length} out of order`)
must('no consumer died', fatal.length === 0, fatal.map(String))

const alive = step('alive', 1)
await bus.publish([alive])
await secondsToDrain(lab.kafka, 60)
must(
  'the group is alive',
  (await effectsOn()).some(({ _id }) => _id === alive.id),
)

broken = false
const dlq = async (...words: string[]) => {
  const lines: string[] = []
  await runDlq([...words, '--group', GROUP], { KAFKA_BROKERS: lab.KAFKA_BROKERS }, (line) => lines.push(line))
  say(`make dlq ARGS="${words.join(' ')} --group ${GROUP}": ${lines.at(-1)}`)
  return lines
}
await dlq('list')
await dlq('redrive', '--reason', 'TypeError', '--reason', 'RangeError', '--apply')
await secondsToDrain(lab.kafka, 120)
const after = await effectsOn()
must(
  'sent back, what the handler had failed on has its effect',
  mended.every((id) => after.some(({ _id }) => _id === id)),
  `${mended.length}`,
)
must(
  'and everything still once',
  after.length === good + 1 + mended.length && after.every(({ runs }) => runs === 1),
  `${after.length} effects`,
)
must('and nothing came back', (await deadLetters(lab.kafka)).length === poison)

// What cannot be read goes back too, comes back as it was, and does no harm.
await dlq('redrive', '--apply')
await secondsToDrain(lab.kafka, 120)
await delay(500)
const again = await deadLetters(lab.kafka)
must('what nobody can read comes back as new letters', again.filter(({ settled }) => settled === null).length === poison - mended.length)
await dlq('drop', '--apply')
must('dropped, none is left', (await dlq('list')).join().includes(`: 0 open (redriven ${poison}, dropped ${poison - mended.length})`))
must('and the effects are the same', (await effectsOn()).length === after.length)

await Promise.all([bus.stop(), ...members.map((one) => one.stop())])
sayLoad()
await lab.stop()
process.exit(holdsAll() ? 0 : 1)
