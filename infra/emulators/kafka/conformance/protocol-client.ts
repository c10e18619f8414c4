/** kafkajs's own broker connection, used directly: one request, one answer, without the client's retries and state. */
import { createRequire } from 'node:module'
import { AssignerProtocol } from 'kafkajs'

const load = createRequire(import.meta.url)
const Broker = load('kafkajs/src/broker/index.js')
const ConnectionPool = load('kafkajs/src/network/connectionPool.js')
const socketFactory = load('kafkajs/src/network/socketFactory.js')
const { createLogger } = load('kafkajs/src/loggers/index.js')
const silent = () => () => {}

type Messages = { key?: string; value: string | Buffer | null }[]

type Produced = { topics: { partitions: { errorCode: number; baseOffset: string }[] }[] }
type Fetched = {
  responses: { partitions: { partition: number; highWatermark: string; messages: { offset: string; value: Buffer | null }[] }[] }[]
}
export type Joined = {
  generationId: number
  leaderId: string
  memberId: string
  groupProtocol: string
  members: { memberId: string; memberMetadata: Buffer }[]
}

/** What a member says of itself under each protocol: here a topic named after the protocol, so that it can be told apart. */
export function memberMetadata(protocol: string): Buffer {
  return AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [protocol], userData: Buffer.alloc(0) })
}

export class ProtocolClient {
  // biome-ignore lint/suspicious/noExplicitAny: kafkajs publishes no types for its inner parts.
  private readonly broker: any

  private readonly memberships = new Map<string, string>()

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  private constructor(broker: any) {
    this.broker = broker
  }

  static async connect(brokers: string): Promise<ProtocolClient> {
    const [host, port] = brokers.split(',')[0]!.split(':')
    const logger = createLogger({ level: 0, logCreator: silent })
    const connectionPool = new ConnectionPool({
      host,
      port: Number(port),
      clientId: 'conformance-protocol',
      logger,
      socketFactory: socketFactory(),
      connectionTimeout: 3_000,
      requestTimeout: 20_000,
    })
    const broker = new Broker({ connectionPool, logger, allowAutoTopicCreation: false })
    await broker.connect()
    return new ProtocolClient(broker)
  }

  /** Leaves the groups that it is still in, so that none of them waits for it; some may have given it up. */
  async disconnect(): Promise<void> {
    for (const [memberId, groupId] of this.memberships) await this.leave(groupId, memberId).catch(() => {})
    await this.broker.disconnect()
  }

  /** A producer id with epoch 0, as a fresh idempotent producer gets it. A broker that has just started is asked again. */
  async producerId(): Promise<string> {
    for (;;) {
      try {
        return (await this.broker.initProducerId({ transactionTimeout: 60_000 })).producerId
      } catch (error) {
        if (!(error as { retriable?: boolean }).retriable) throw error
      }
    }
  }

  /** One batch to partition 0. Resolves with its base offset. */
  async produce(topic: string, messages: Messages, producer?: { id: string; epoch?: number; sequence: number }): Promise<number> {
    const partitions = [{ partition: 0, firstSequence: producer?.sequence, messages }]
    const identity = producer && { producerId: producer.id, producerEpoch: producer.epoch ?? 0 }
    const answer: Produced = await this.broker.produce({ topicData: [{ topic, partitions }], acks: -1, ...identity })
    return Number(answer.topics[0]!.partitions[0]!.baseOffset)
  }

  /** Reads partition 0. */
  async fetch(
    topic: string,
    from: { offset: number; maxWaitTime?: number; minBytes?: number; maxBytes?: number; maxBytesPerPartition?: number },
  ): Promise<{ values: string[]; highWatermark: number }> {
    const { offset, maxWaitTime = 0, minBytes = 1, maxBytes = 10_000_000, maxBytesPerPartition = 10_000_000 } = from
    const partitions = [{ partition: 0, fetchOffset: String(offset), maxBytes: maxBytesPerPartition }]
    const answer: Fetched = await this.broker.fetch({ maxWaitTime, minBytes, maxBytes, isolationLevel: 1, topics: [{ topic, partitions }] })
    const { messages, highWatermark } = answer.responses[0]!.partitions[0]!
    return { values: messages.map(({ value }) => String(value)), highWatermark: Number(highWatermark) }
  }

  async join(
    groupId: string,
    options: { memberId?: string; sessionTimeout?: number; protocols?: string[]; protocolType?: string } = {},
  ): Promise<Joined> {
    const { memberId = '', sessionTimeout = 10_000, protocols = ['any'], protocolType = 'consumer' } = options
    const groupProtocols = protocols.map((name) => ({ name, metadata: memberMetadata(name) }))
    const joined: Joined = await this.broker.joinGroup({
      groupId,
      sessionTimeout,
      rebalanceTimeout: 20_000,
      memberId,
      protocolType,
      groupProtocols,
    })
    this.memberships.set(joined.memberId, groupId)
    return joined
  }

  /** Resolves with this member's share, as text. */
  async sync(groupId: string, generationId: number, memberId: string, shares: Record<string, string> = {}): Promise<string> {
    const groupAssignment = Object.entries(shares).map(([id, share]) => ({ memberId: id, memberAssignment: Buffer.from(share) }))
    const { memberAssignment } = await this.broker.syncGroup({ groupId, generationId, memberId, groupAssignment })
    return String(memberAssignment)
  }

  heartbeat(groupId: string, groupGenerationId: number, memberId: string): Promise<unknown> {
    return this.broker.heartbeat({ groupId, groupGenerationId, memberId })
  }

  leave(groupId: string, memberId: string): Promise<unknown> {
    this.memberships.delete(memberId)
    return this.broker.leaveGroup({ groupId, memberId })
  }

  /** Of partition 0. Without a member, generation -1. */
  commit(groupId: string, groupGenerationId: number, memberId: string, topic: string, offset: number, metadata = ''): Promise<unknown> {
    const topics = [{ topic, partitions: [{ partition: 0, offset: String(offset), metadata }] }]
    return this.broker.offsetCommit({ groupId, groupGenerationId, memberId, topics })
  }

  async committed(groupId: string, topic: string): Promise<{ offset: string; metadata: string }> {
    const { responses } = await this.broker.offsetFetch({ groupId, topics: [{ topic, partitions: [{ partition: 0 }] }] })
    return responses[0].partitions[0]
  }

  /** Asks for metadata without letting the broker make the topic. */
  async metadata(topic: string): Promise<{ leader: number; replicas: number[]; isr: number[]; partitionId: number }[]> {
    return (await this.broker.metadata([topic])).topicMetadata[0].partitionMetadata
  }
}
