/**
 * On real Kafka and MongoDB, events that cannot be read or handled lie among good ones of the same bookings. Then the handler is mended
 * and the dead letters are redriven and dropped as an operator does.
 */
import { runDlq } from '@passerelle/infra-kafka/dlq-command'
import { delay } from '@passerelle/kit/runtime'
import type { Message } from 'kafkajs'
import { counted, must, say, seededRandom } from './campaign.ts'
import {
  checkEffects,
  connectLabBus,
  deadLetters,
  effectsOf,
  GROUP,
  joinGroup,
  openLab,
  secondsToDrain,
  step,
  stepper,
  TOPIC,
} from './kafka-lab.ts'
import type { Run } from './stage.ts'

const BOOKINGS = 300
const PIECE = 200
const FOREIGN = 50

export async function run({ bookings: good, seed, folder }: Run): Promise<void> {
  const lab = await openLab(folder)
  const random = seededRandom(seed)
  const poison = Math.ceil(good / 20)
  let broken = true
  const fail = (bookingId: string) => {
    if (broken && bookingId.startsWith('type')) (undefined as unknown as { boom(): void }).boom()
    if (broken && bookingId.startsWith('range')) throw new RangeError('out of reach')
  }
  await joinGroup(lab, fail)
  await joinGroup(lab, fail)
  const bus = await connectLabBus(lab)
  const producer = lab.kafka.producer({ allowAutoTopicCreation: false })
  await producer.connect()

  type Body = Omit<Message, 'key'>
  const about = (id: string, type = 'travel.booking.pending.v1') => ({ ce_id: id, ce_type: type })
  const whole = { bookingId: 'b1', reference: 'ABCDEFGH', brand: 'default', mode: 'test', paymentId: 'pay_1' }
  /** What a message may be like that no consumer can read. */
  const unreadable: Record<string, (id: string) => Body> = {
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
  const bulky = (id: string): Body => ({ value: 'x'.repeat(1_000_000), headers: about(id) })
  /** Of a version that nobody knows: not this group's business, and not a dead letter. */
  const foreign = (id: string): Body => ({ value: JSON.stringify(whole), headers: about(id, 'travel.booking.pending.v99') })
  const bodies: Record<string, (id: string) => Body> = { ...unreadable, 'almost 1 MiB': bulky, 'version 99': foreign }

  const large = Math.min(5, poison)
  const failing = Math.floor(poison * 0.12)
  const many = (length: number, kind: (i: number) => string) => Array.from({ length }, (_, i) => kind(i))
  const unreadableKinds = Object.keys(unreadable)
  const kinds = [
    ...many(large, () => 'almost 1 MiB'),
    ...many(failing, (i) => (i % 2 === 0 ? 'TypeError in the handler' : 'RangeError in the handler')),
    ...many(poison - large - failing, () => unreadableKinds[Math.floor(random() * unreadableKinds.length)] ?? ''),
  ]
  const lot = [...kinds, ...many(FOREIGN, () => 'version 99'), ...many(good, () => 'good')]
    .map((kind) => ({ kind, place: random() }))
    .sort((one, other) => one.place - other.place)
  say(`${FOREIGN} of a version that nobody knows, and poison`, counted(kinds))

  const nextStep = stepper(BOOKINGS, random)
  const sent: string[] = []
  const mended: string[] = []
  for (let i = 0; i < lot.length; i += PIECE) {
    const raw: Message[] = []
    const events = lot.slice(i, i + PIECE).flatMap(({ kind }, n) => {
      const body = bodies[kind]
      if (body) {
        raw.push({ key: `b${Math.floor(random() * BOOKINGS)}`, ...body(`poison-${i + n}`) })
        return []
      }
      const event = kind === 'good' ? nextStep() : step(`${kind.startsWith('Type') ? 'type' : 'range'}-${i + n}`, 1)
      ;(kind === 'good' ? sent : mended).push(event.id)
      return [event]
    })
    await bus.publish(events)
    // One request holds no more than about 1 MiB.
    const isBulky = ({ value }: Message) => (value?.length ?? 0) > 1000
    for (const messages of [raw.filter((one) => !isBulky(one)), ...raw.filter(isBulky).map((one) => [one])])
      await producer.send({ topic: TOPIC, acks: -1, messages })
  }
  say(`all handled ${(await secondsToDrain(lab.kafka, 900)).toFixed(1)} s after the last (each failing handler has its four pauses, 7.6 s)`)

  const letters = await deadLetters(lab.kafka)
  say('dead letters by reason', counted(letters.map(({ reason }) => reason)))
  const placed = letters.filter(({ origin }) => origin.topic === TOPIC && origin.partition !== '' && origin.offset !== '')
  must('each says where it came from', placed.length === letters.length)
  const kept = letters.filter(({ valueLeft }) => !valueLeft).length === poison
  must('no value was lost', kept && letters.filter(({ value }) => value?.length === 1_000_000).length === large, `${large} of almost 1 MiB`)
  await checkEffects(lab, sent, { letters: poison })

  const alive = step('alive', 1)
  await bus.publish([alive])
  await secondsToDrain(lab.kafka, 60)
  must('the group is alive', (await effectsOf(lab.mongo).countDocuments({ _id: alive.id })) === 1)

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
  say('redriven, what the handler had failed on has its effect and does not come back:')
  await checkEffects(lab, [...sent, alive.id, ...mended], { letters: poison })

  say('what nobody can read goes back too, comes back as it was, and does no harm:')
  await dlq('redrive', '--apply')
  await secondsToDrain(lab.kafka, 120)
  await delay(500)
  const open = (await deadLetters(lab.kafka)).filter(({ settled }) => settled === null)
  must('it comes back as new letters', open.length === poison - mended.length, `${open.length} of ${poison - mended.length}`)
  await dlq('drop', '--apply')
  must('dropped, none is left', (await dlq('list')).join().includes(`: 0 open (redriven ${poison}, dropped ${poison - mended.length})`))
  await checkEffects(lab, [...sent, alive.id, ...mended], { letters: 2 * poison - mended.length })
}
