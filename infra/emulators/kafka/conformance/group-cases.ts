import { AssignerProtocol } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, IDEMPOTENT, numbered, type Reading, refusalOf } from './bench.ts'
import { type Joined, memberMetadata, type ProtocolClient } from './protocol-client.ts'

export function groupCases(bench: () => Bench): void {
  /** One message into each partition. */
  const mark = async (topic: string, partitions: number, value: string) => {
    const producer = await bench().producer()
    await producer.send({ topic, messages: Array.from({ length: partitions }, (_, partition) => ({ partition, value })) })
  }
  const marksIn = (members: readonly Reading[], value: string) =>
    members.flatMap((member) => member.values()).filter((one) => one === value).length
  const untilShares = (members: readonly Reading[], shares: number[]) =>
    expect.poll(() => members.map(({ share }) => share.length), { timeout: 20_000 }).toEqual(shares)

  describe('consumer groups', () => {
    test('a member that joins while messages flow takes its share, and every message comes to one of them', async () => {
      const topic = await bench().topic(4)
      const producer = await bench().producer(IDEMPOTENT)
      const members = [await bench().read(topic)]
      await untilShares(members, [4])
      const sending = (async () => {
        for (let n = 0; n < 60; n++) await producer.send({ topic, messages: [{ key: String(n), value: String(n) }] })
      })()
      members.push(await bench().read(topic, members[0]!.groupId))
      await untilShares(members, [2, 2])
      await sending
      await mark(topic, 4, 'end')
      await expect.poll(() => marksIn(members, 'end')).toBe(4)
      const values = members.flatMap((member) => member.values()).filter((value) => value !== 'end')
      expect([values.length, new Set(values).size]).toEqual([60, 60])
    })

    test('when a member leaves, the other takes over where it has stopped', async () => {
      const topic = await bench().topic(4)
      const leaving = await bench().read(topic)
      const staying = await bench().read(topic, leaving.groupId)
      await untilShares([leaving, staying], [2, 2])
      await mark(topic, 4, 'before')
      await expect.poll(() => marksIn([leaving, staying], 'before')).toBe(4)
      await leaving.consumer.disconnect()
      await untilShares([staying], [4])
      await mark(topic, 4, 'after')
      await expect.poll(() => marksIn([staying], 'after')).toBe(4)
      expect(marksIn([leaving, staying], 'before')).toBe(4)
    })

    test('a group goes on after what it has committed', async () => {
      const topic = await bench().topic()
      const producer = await bench().producer()
      await producer.send({ topic, messages: numbered(5) })
      const first = await bench().read(topic)
      await expect.poll(first.values).toHaveLength(5)
      await first.consumer.disconnect()
      await producer.send({ topic, messages: numbered(3, 5) })
      const second = await bench().read(topic, first.groupId)
      await expect.poll(second.values).toEqual(['5', '6', '7'])
    })
  })

  /** One member alone, with its generation settled. */
  const settle = async (client: ProtocolClient, groupId: string, options = {}): Promise<Joined> => {
    const joined = await client.join(groupId, options)
    await client.sync(groupId, joined.generationId, joined.memberId, { [joined.memberId]: 'all' })
    return joined
  }
  /** Two members whose generation has begun, the first as its leader. */
  const pair = async (one: ProtocolClient, two: ProtocolClient, groupId: string, protocols: [string[], string[]]) => {
    const first = await settle(one, groupId, { protocols: protocols[0] })
    const joining = two.join(groupId, { protocols: protocols[1] })
    await expect.poll(() => refusalOf(one.heartbeat(groupId, first.generationId, first.memberId))).toBe('REBALANCE_IN_PROGRESS')
    return { first, again: await one.join(groupId, { memberId: first.memberId, protocols: protocols[0] }), second: await joining }
  }

  describe('the group coordinator', () => {
    test('the leader hands out the shares, and every member receives its own', async () => {
      const groupId = bench().groupId()
      const [one, two] = [await bench().protocolClient(), await bench().protocolClient()]
      const { first, again, second } = await pair(one, two, groupId, [['any'], ['any']])
      expect(first.leaderId).toBe(first.memberId)
      expect(second.generationId).toBe(again.generationId)
      expect(second.generationId).toBeGreaterThan(first.generationId)
      expect(again.members.map(({ memberId }) => memberId).sort()).toEqual([first.memberId, second.memberId].sort())
      expect(second.members).toEqual([])
      const shares = await Promise.all([
        two.sync(groupId, second.generationId, second.memberId),
        one.sync(groupId, again.generationId, again.memberId, { [first.memberId]: 'left', [second.memberId]: 'right' }),
      ])
      expect(shares).toEqual(['right', 'left'])
      expect(await refusalOf(one.heartbeat(groupId, again.generationId, again.memberId))).toBe('it was accepted')
    })

    test('the group takes the protocol that all members speak, and nobody comes in without one', async () => {
      const groupId = bench().groupId()
      const [one, two, three] = [await bench().protocolClient(), await bench().protocolClient(), await bench().protocolClient()]
      const { first, again, second } = await pair(one, two, groupId, [['new', 'old'], ['old']])
      expect([first.groupProtocol, again.groupProtocol, second.groupProtocol]).toEqual(['new', 'old', 'old'])
      expect(again.members.map((member) => member.memberMetadata)).toEqual([memberMetadata('old'), memberMetadata('old')])
      expect(await refusalOf(three.join(groupId, { protocols: ['new'] }))).toBe('INCONSISTENT_GROUP_PROTOCOL')
      expect(await refusalOf(three.join(groupId, { protocolType: 'something else', protocols: ['old'] }))).toBe(
        'INCONSISTENT_GROUP_PROTOCOL',
      )
    })

    test('a silent member is given up after its session, which is at least six seconds', async () => {
      const groupId = bench().groupId()
      const [silent, other] = [await bench().protocolClient(), await bench().protocolClient()]
      expect(await refusalOf(silent.join(groupId, { sessionTimeout: 1_000 }))).toBe('INVALID_SESSION_TIMEOUT')
      const { generationId, memberId } = await settle(silent, groupId, { sessionTimeout: 6_000 })
      const { members } = await other.join(groupId)
      expect(members).toHaveLength(1)
      expect(await refusalOf(silent.heartbeat(groupId, generationId, memberId))).toBe('UNKNOWN_MEMBER_ID')
    })

    test('only members of the present generation commit, and not while shares are being handed out', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      expect((await client.committed(groupId, topic)).offset).toBe('-1')
      expect(await refusalOf(client.commit(groupId, -1, '', bench().topicName(), 1))).toBe('UNKNOWN_TOPIC_OR_PARTITION')
      await client.commit(groupId, -1, '', topic, 1)
      const old = await client.join(groupId)
      const commit = (generation: number, member: string, offset: number) =>
        refusalOf(client.commit(groupId, generation, member, topic, offset))
      expect(await commit(old.generationId, old.memberId, 2)).toBe('REBALANCE_IN_PROGRESS')
      await client.sync(groupId, old.generationId, old.memberId, { [old.memberId]: 'all' })
      expect(await commit(old.generationId, old.memberId, 3)).toBe('it was accepted')
      const now = await settle(client, groupId, { memberId: old.memberId })
      expect(await commit(old.generationId, old.memberId, 4)).toBe('ILLEGAL_GENERATION')
      expect(await refusalOf(client.heartbeat(groupId, old.generationId, old.memberId))).toBe('ILLEGAL_GENERATION')
      expect(await commit(now.generationId, 'a stranger', 5)).toBe('UNKNOWN_MEMBER_ID')
      expect(await commit(-1, '', 6)).toBe('UNKNOWN_MEMBER_ID')
      expect((await client.committed(groupId, topic)).offset).toBe('3')
      await client.leave(groupId, now.memberId)
      expect(await refusalOf(client.leave(groupId, now.memberId))).toBe('UNKNOWN_MEMBER_ID')
      expect(await commit(now.generationId, now.memberId, 7)).toBe('UNKNOWN_MEMBER_ID')
      expect(await refusalOf(client.join(groupId, { memberId: 'a stranger' }))).toBe('UNKNOWN_MEMBER_ID')
      expect(await commit(-1, '', 8)).toBe('it was accepted')
      expect((await client.committed(groupId, topic)).offset).toBe('8')
    })

    test('a group is described with its members and their shares, then as empty', async () => {
      const topic = await bench().topic(2)
      const reading = await bench().read(topic)
      const admin = await bench().admin()
      const describeGroup = async () => (await admin.describeGroups([reading.groupId])).groups[0]!
      const { members, ...group } = await describeGroup()
      expect(group).toMatchObject({ state: 'Stable', protocolType: 'consumer', protocol: 'RoundRobinAssigner' })
      expect(members).toMatchObject([{ clientId: 'conformance', clientHost: expect.stringMatching(/^\/\d+(\.\d+){3}$/) }])
      expect(AssignerProtocol.MemberMetadata.decode(members[0]!.memberMetadata)!.topics).toEqual([topic])
      expect(AssignerProtocol.MemberAssignment.decode(members[0]!.memberAssignment)!.assignment[topic]!.sort()).toEqual([0, 1])
      await reading.consumer.disconnect()
      expect(await describeGroup()).toMatchObject({ state: 'Empty', members: [] })
    })
  })
}
