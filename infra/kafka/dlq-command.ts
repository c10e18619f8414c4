/** What `make dlq` does with its words. Nothing is sent or marked without --apply. */
import { parseArgs } from 'node:util'
import { consumerGroups, deadLetterTopic } from '@passerelle/contracts/events/topics'
import { type Environment, KafkaConfig, readConfiguration } from '@passerelle/kit/configuration'
import { kafkaClient } from '@passerelle/kit/kafka'
import { createLog, scrub } from '@passerelle/kit/log'
import { z } from 'zod'
import { drop, hindrance, type Letter, readLetters, redrive } from './dead-letters.ts'

export const USAGE = `Dead letters: events that a group of consumers could not handle.

  make dlq ARGS="list"                                 how many each group has, and why
  make dlq ARGS="show --group booking-mail"            the open ones; --all: also those already dealt with
  make dlq ARGS="redrive --group booking-mail"         send them back to where they came from, under the same event id and key
  make dlq ARGS="drop --group booking-mail"            be done with them

  --id ID --offset N --reason WORD    only these; each can be given several times
  --apply                             do it: without, redrive and drop only say what they would do

KAFKA_BROKERS says where; NAMESPACE, KAFKA_USERNAME, KAFKA_PASSWORD and KAFKA_SASL_MECHANISM as for the services.`

/** A mistake in the words. */
export class UsageError extends Error {}

const several = { type: 'string', multiple: true, default: [] as string[] } as const

function readArguments(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        group: { type: 'string' },
        id: several,
        offset: several,
        reason: several,
        all: { type: 'boolean', default: false },
        apply: { type: 'boolean', default: false },
      },
    })
    const [verb = 'list', ...rest] = positionals
    if (rest.length > 0) throw new UsageError(`one word too many: ${rest.join(' ')}`)
    return { verb, ...values }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message)
  }
}

/**
 * @param groups whose dead letters there are, by default the product's groups
 * @param print takes one line
 * @throws UsageError on words that make no sense
 */
export async function runDlq(
  args: string[],
  environment: Environment,
  print: (line: string) => void,
  groups: readonly string[] = consumerGroups,
): Promise<void> {
  const { verb, group, ...choice } = readArguments(args)
  if (!['list', 'show', 'redrive', 'drop'].includes(verb)) throw new UsageError(`there is no "${verb}"`)
  if (verb !== 'list' && group === undefined) throw new UsageError(`${verb} needs --group, one of ${groups.join(', ')}`)
  if (group !== undefined && !groups.includes(group)) throw new UsageError(`there is no group "${group}": ${groups.join(', ')}`)
  const schema = z.object({ ...KafkaConfig.shape, NAMESPACE: z.string().default('') })
  const own = Object.entries(environment).filter(([name]) => /^(KAFKA_|NAMESPACE)/.test(name))
  const config = readConfiguration('dlq', schema, Object.fromEntries(own))
  const kafka = kafkaClient({
    brokers: config.KAFKA_BROKERS,
    clientId: 'dlq',
    log: createLog('dlq', 'error'),
    ...(config.KAFKA_USERNAME && { username: config.KAFKA_USERNAME }),
    ...(config.KAFKA_PASSWORD && { password: config.KAFKA_PASSWORD }),
    mechanism: config.KAFKA_SASL_MECHANISM,
    tls: config.KAFKA_TLS,
  })
  const topicOf = (name: string) => config.NAMESPACE + deadLetterTopic(name).name

  if (verb === 'list') {
    const chosen = group === undefined ? groups : [group]
    const letters = await readLetters(kafka, chosen.map(topicOf))
    for (const name of chosen) for (const line of summary(name, letters.get(topicOf(name)) ?? [])) print(line)
    return
  }
  const topic = topicOf(group as string)
  const all = (await readLetters(kafka, [topic])).get(topic) ?? []
  const letters = all.filter((letter) => isChosen(letter, choice) && (letter.settled === null || (verb === 'show' && choice.all)))
  if (letters.length === 0) return print('none')
  if (verb === 'show') {
    for (const letter of letters) for (const line of describe(letter)) print(line)
    return
  }
  const ready = verb === 'drop' ? letters : letters.filter((letter) => hindrance(letter, config.NAMESPACE) === null)
  for (const letter of letters) {
    const why = verb === 'drop' ? null : hindrance(letter, config.NAMESPACE)
    print(`${why === null ? verb : 'keep'} ${oneLine(letter)}${why === null ? '' : `: ${why}`}`)
  }
  if (!choice.apply) return print(`would ${verb} ${ready.length} of ${letters.length}; --apply does it`)
  if (ready.length > 0) await (verb === 'drop' ? drop : redrive)(kafka, topic, ready)
  print(`${verb === 'drop' ? 'dropped' : 'redriven'}: ${ready.length} of ${letters.length}`)
}

function isChosen(letter: Letter, { id, offset, reason }: { id: string[]; offset: string[]; reason: string[] }): boolean {
  const within = (list: string[], value: string | null) => list.length === 0 || (value !== null && list.includes(value))
  return within(id, letter.eventId) && within(offset, letter.offset) && within(reason, letter.reason)
}

function summary(group: string, letters: readonly Letter[]): string[] {
  const open = letters.filter((letter) => letter.settled === null)
  const settled = (deed: string) => letters.filter((letter) => letter.settled?.deed === deed).length
  const reasons = [...Map.groupBy(open, (letter) => letter.reason)].map(([reason, list]) => `${reason} ${list.length}`)
  const oldest = open[0] ? `, oldest of ${open[0].at}: ${reasons.join(', ')}` : ''
  return [`${group}: ${open.length} open${oldest} (redriven ${settled('redriven')}, dropped ${settled('dropped')})`]
}

function oneLine(letter: Letter): string {
  return `offset ${letter.offset} ${letter.type ?? '(no type)'} id ${letter.eventId ?? '(none)'} key ${letter.key?.toString() ?? '(none)'}`
}

const SHOWN_CHARACTERS = 500

function describe(letter: Letter): string[] {
  const { origin, settled } = letter
  const value = letter.valueLeft ? '(left at the origin)' : (letter.value?.toString() ?? '(none)')
  return [
    oneLine(letter),
    `  put aside ${letter.at}: ${letter.reason} after ${letter.attempts} attempt(s), from ${origin.topic}/${origin.partition}/${origin.offset}`,
    ...(settled ? [`  ${settled.deed} ${settled.at}`] : []),
    `  headers ${scrub(JSON.stringify(Object.fromEntries(Object.entries(letter.headers).map(([name, header]) => [name, String(header)]))))}`,
    `  value ${scrub(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}... (${value.length} characters)` : value)}`,
  ]
}
