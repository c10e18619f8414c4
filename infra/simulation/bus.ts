/**
 * The bus in memory: partitions, groups and committed offsets. Events become messages and are handled by the kit's own code; each partition
 * has one member of a group, until the group is rebalanced, and what was not committed is delivered again.
 */

import { topicOf } from '@passerelle/contracts/event'
import { deadLetterTopic } from '@passerelle/contracts/events/topics'
import type { ConsumerDefinition, Publisher } from '@passerelle/kit/bus'
import { type ConsumerTools, processBatch } from '@passerelle/kit/bus-consumer'
import { toMessage } from '@passerelle/kit/bus-message'
import { createInbox } from '@passerelle/kit/inbox'
import type { Log } from '@passerelle/kit/log'
import type { Metrics } from '@passerelle/kit/metrics'
import type { EachBatchPayload, KafkaMessage, Message } from 'kafkajs'
import type { Connection } from 'mongoose'
import type { Process } from './events.ts'
import type { World } from './world.ts'

const PARTITIONS = 2
/** A member that has died is noticed after so long. */
const SESSION_MS = 10_000

type Partition = { topic: string; partition: number; messages: KafkaMessage[] }
type Member = { process: Process; definition: ConsumerDefinition; tools: Omit<ConsumerTools, 'stopping'> }
type Claim = { member: Member | null; generation: number; offset: number; busy: boolean; paused: boolean }
type Group = { members: Member[]; claims: Map<Partition, Claim> }

export class MemoryBus {
  readonly partitions: Partition[] = []
  readonly deadLetters: string[] = []
  readonly #groups = new Map<string, Group>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** All messages of a key's partition, in order; what consumers read. */
  messages(): KafkaMessage[] {
    return this.partitions.flatMap(({ messages }) => messages)
  }

  publisher(source: string): Publisher {
    return {
      publish: (events) =>
        this.#world.cross(
          'bus.publish',
          () => this.#append(events.map((event) => ({ topic: event.topic, message: toMessage(event, source) }))),
          {
            lost: () => new Error('publishing took too long'),
            timeoutMs: 8000,
            repeatable: true,
          },
        ),
    }
  }

  consume(definition: ConsumerDefinition, connection: Connection, { log, metrics }: { log: Log; metrics: Metrics }): void {
    const process = this.#world.process as Process
    const group: Group = this.#groups.get(definition.group) ?? { members: [], claims: new Map() }
    this.#groups.set(definition.group, group)
    const tools = {
      definition,
      inbox: createInbox(connection, definition.group),
      producer: { send: async () => void this.deadLetters.push(definition.group), stop: async () => undefined },
      deadLetterTopic: deadLetterTopic(definition.group).name,
      retryPausesMs: [100, 500, 2000, 5000],
      dependencyPauseMs: 1000,
      heartbeatMs: 1000,
      handlerMs: 300_000,
      log,
      metrics,
    }
    const member = { process, definition, tools }
    group.members.push(member)
    process.onDeath.push(() => {
      group.members = group.members.filter((other) => other !== member)
      this.#world.after(SESSION_MS, () => this.rebalance(definition.group))
    })
    this.rebalance(definition.group)
  }

  /** Deals the partitions out anew. Who loses one may still be at work on a message of it. */
  rebalance(name: string): void {
    const group = this.#groups.get(name)
    if (!group) return
    const topics = new Set([...group.members].flatMap(({ definition }) => definition.subscriptions.map((one) => topicOf(one.definition))))
    for (const topic of topics) for (let number = 0; number < PARTITIONS; number++) this.#partition(topic, number)
    for (const partition of this.partitions) {
      if (!topics.has(partition.topic)) continue
      const claim = group.claims.get(partition) ?? { member: null, generation: 0, offset: 0, busy: false, paused: false }
      const member = group.members.length > 0 ? this.#world.chance.pick(group.members) : null
      group.claims.set(partition, { member, generation: claim.generation + 1, offset: claim.offset, busy: false, paused: false })
      this.#wake(group, partition)
    }
  }

  /** Whether every group has committed everything. */
  isIdle(): boolean {
    return [...this.#groups.values()].every(({ claims }) => [...claims].every(([{ messages }, { offset }]) => offset >= messages.length))
  }

  #partition(topic: string, number: number): Partition {
    const known = this.partitions.find((one) => one.topic === topic && one.partition === number)
    if (known) return known
    const made = { topic, partition: number, messages: [] }
    this.partitions.push(made)
    return made
  }

  #append(messages: { topic: string; message: Message }[]): void {
    for (const { topic, message } of messages) {
      const key = String(message.key)
      const number = [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % PARTITIONS
      const partition = this.#partition(topic, number)
      const headers = Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, Buffer.from(String(value))]))
      const offset = String(partition.messages.length)
      partition.messages.push({
        ...message,
        key: Buffer.from(key),
        value: Buffer.from(String(message.value)),
        headers,
        offset,
      } as unknown as KafkaMessage)
      this.#world.tell(`event ${headers.ce_type} of ${key}, sequence ${headers.ce_sequence}`)
      for (const group of this.#groups.values()) this.#wake(group, partition)
    }
  }

  #wake(group: Group, partition: Partition): void {
    const claim = group.claims.get(partition)
    if (!claim?.member) return
    const { member } = claim
    this.#world.after(1 + this.#world.chance.next() * 60, () => void this.#pump(group, partition, claim, member), member.process)
  }

  async #pump(group: Group, partition: Partition, claim: Claim, member: Member): Promise<void> {
    const isCurrent = () => group.claims.get(partition) === claim && member.process.alive
    if (!isCurrent() || claim.busy || claim.paused || claim.offset >= partition.messages.length) return
    claim.busy = true
    const messages = partition.messages.slice(claim.offset)
    let position = claim.offset
    const batch = {
      batch: { topic: partition.topic, partition: partition.partition, messages },
      isRunning: () => member.process.alive,
      isStale: () => !isCurrent(),
      heartbeat: async () => {
        if (!isCurrent()) throw new Error('the group is rebalancing')
      },
      resolveOffset: (offset: string) => {
        position = Number(offset) + 1
      },
      commitOffsetsIfNecessary: () => {
        const reached = position
        return this.#world.cross(
          'bus.commit',
          () => {
            if (!isCurrent()) throw new Error('the group is rebalancing')
            claim.offset = Math.max(claim.offset, reached)
          },
          { lost: () => new Error('committing took too long'), timeoutMs: 3000 },
        )
      },
      pause: () => {
        claim.paused = true
        return () => {
          claim.paused = false
          this.#wake(group, partition)
        }
      },
    } as unknown as EachBatchPayload
    const stopping = new AbortController()
    try {
      await processBatch(batch, { ...member.tools, stopping: stopping.signal })
    } catch {
      // kafkajs begins again at the last committed offset.
    }
    claim.busy = false
    if (isCurrent()) this.#wake(group, partition)
  }
}
