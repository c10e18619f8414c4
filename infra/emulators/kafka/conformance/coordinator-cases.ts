import { AssignerProtocol } from 'kafkajs'
import { describe, expect, test } from 'vitest'
import { type Bench, refusalOf } from './bench.ts'
import { type Joined, memberMetadata, type ProtocolClient } from './protocol-client.ts'

export function coordinatorCases(bench: () => Bench): void {
  /** One member alone, with its generation settled. */
  const settle = async (client: ProtocolClient, groupId: string): Promise<Joined> => {
    const joined = await client.join(groupId)
    await client.sync(groupId, joined.generationId, joined.memberId, { [joined.memberId]: 'all' })
    return joined
  }
  const offsetsOf = (topic: string, offset: string) => [{ topic, partitions: [{ partition: 0, offset }] }]

  describe('the group coordinator', () => {
    test('the leader hands out the shares, and every member receives its own', async () => {
      const groupId = bench().groupId()
      const [one, two] = [await bench().protocolClient(), await bench().protocolClient()]
      const first = await settle(one, groupId)
      expect(first.leaderId).toBe(first.memberId)
      const joining = two.join(groupId)
      await expect.poll(() => refusalOf(one.heartbeat(groupId, first.generationId, first.memberId))).toBe('REBALANCE_IN_PROGRESS')
      const again = await one.join(groupId, { memberId: first.memberId })
      const second = await joining
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

    test('a member of an older generation can neither commit nor send heartbeats', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      const old = await settle(client, groupId)
      await client.commit(groupId, old.generationId, old.memberId, offsetsOf(topic, '5'))
      const now = await client.join(groupId, { memberId: old.memberId })
      await client.sync(groupId, now.generationId, now.memberId, { [now.memberId]: 'all' })
      expect(await refusalOf(client.commit(groupId, old.generationId, old.memberId, offsetsOf(topic, '9')))).toBe('ILLEGAL_GENERATION')
      expect(await refusalOf(client.heartbeat(groupId, old.generationId, old.memberId))).toBe('ILLEGAL_GENERATION')
      expect((await client.committed(groupId, topic)).offset).toBe('5')
    })

    test('a member that is not (or no longer) in the group can do nothing', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      const { generationId, memberId } = await settle(client, groupId)
      expect(await refusalOf(client.commit(groupId, generationId, 'a stranger', offsetsOf(topic, '1')))).toBe('UNKNOWN_MEMBER_ID')
      expect(await refusalOf(client.join(groupId, { memberId: 'a stranger' }))).toBe('UNKNOWN_MEMBER_ID')
      await client.leave(groupId, memberId)
      expect(await refusalOf(client.heartbeat(groupId, generationId, memberId))).toBe('UNKNOWN_MEMBER_ID')
      expect(await refusalOf(client.commit(groupId, generationId, memberId, offsetsOf(topic, '1')))).toBe('UNKNOWN_MEMBER_ID')
      expect(await refusalOf(client.leave(groupId, memberId))).toBe('UNKNOWN_MEMBER_ID')
      expect((await client.committed(groupId, topic)).offset).toBe('-1')
    })

    test('nobody from outside commits while members are there', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      await client.commit(groupId, -1, '', offsetsOf(topic, '1'))
      const { memberId } = await settle(client, groupId)
      expect(await refusalOf(client.commit(groupId, -1, '', offsetsOf(topic, '2')))).toBe('UNKNOWN_MEMBER_ID')
      await client.leave(groupId, memberId)
      await client.commit(groupId, -1, '', offsetsOf(topic, '3'))
      expect((await client.committed(groupId, topic)).offset).toBe('3')
    })

    test('while shares are being handed out, nobody commits', async () => {
      const topic = await bench().topic()
      const groupId = bench().groupId()
      const client = await bench().protocolClient()
      const { generationId, memberId } = await client.join(groupId)
      expect(await refusalOf(client.commit(groupId, generationId, memberId, offsetsOf(topic, '1')))).toBe('REBALANCE_IN_PROGRESS')
    })

    test('a session shorter than six seconds is refused', async () => {
      const client = await bench().protocolClient()
      expect(await refusalOf(client.join(bench().groupId(), { sessionTimeout: 1_000 }))).toBe('INVALID_SESSION_TIMEOUT')
    })

    test('members without a common protocol do not come together', async () => {
      const groupId = bench().groupId()
      const [one, two] = [await bench().protocolClient(), await bench().protocolClient()]
      await settle(one, groupId)
      expect(await refusalOf(two.join(groupId, { protocols: ['something else'] }))).toBe('INCONSISTENT_GROUP_PROTOCOL')
      expect(await refusalOf(two.join(groupId, { protocolType: 'something else' }))).toBe('INCONSISTENT_GROUP_PROTOCOL')
    })

    test('the group takes the protocol that all members speak', async () => {
      const groupId = bench().groupId()
      const [one, two] = [await bench().protocolClient(), await bench().protocolClient()]
      const first = await one.join(groupId, { protocols: ['new', 'old'] })
      expect(first.groupProtocol).toBe('new')
      await one.sync(groupId, first.generationId, first.memberId)
      const joining = two.join(groupId, { protocols: ['old'] })
      await expect.poll(() => refusalOf(one.heartbeat(groupId, first.generationId, first.memberId))).toBe('REBALANCE_IN_PROGRESS')
      const again = await one.join(groupId, { memberId: first.memberId, protocols: ['new', 'old'] })
      expect([again.groupProtocol, (await joining).groupProtocol]).toEqual(['old', 'old'])
      expect(again.members.map((member) => member.memberMetadata)).toEqual([memberMetadata('old'), memberMetadata('old')])
    })

    test('a group is described with its members and their shares, then empty, then unknown', async () => {
      const topic = await bench().topic({ partitions: 2 })
      const reading = await bench().read(topic)
      const admin = await bench().admin()
      const describeGroup = async () => (await admin.describeGroups([reading.groupId])).groups[0]!
      const running = await describeGroup()
      expect(running).toMatchObject({ state: 'Stable', protocolType: 'consumer', protocol: 'RoundRobinAssigner' })
      expect(running.members).toHaveLength(1)
      expect(running.members[0]).toMatchObject({ clientId: 'conformance', clientHost: expect.stringMatching(/^\/\d+(\.\d+){3}$/) })
      expect(AssignerProtocol.MemberMetadata.decode(running.members[0]!.memberMetadata)!.topics).toEqual([topic])
      expect(AssignerProtocol.MemberAssignment.decode(running.members[0]!.memberAssignment)!.assignment[topic]!.sort()).toEqual([0, 1])
      await reading.consumer.disconnect()
      expect(await describeGroup()).toMatchObject({ state: 'Empty', members: [] })
      await admin.deleteGroups([reading.groupId])
      expect(await describeGroup()).toMatchObject({ state: 'Dead', members: [] })
    })

    test('the list of groups holds running ones and those with offsets only', async () => {
      const topic = await bench().topic()
      const reading = await bench().read(topic)
      const offsetsOnly = bench().groupId()
      await (await bench().protocolClient()).commit(offsetsOnly, -1, '', offsetsOf(topic, '1'))
      const { groups } = await (await bench().admin()).listGroups()
      expect(groups).toContainEqual({ groupId: reading.groupId, protocolType: 'consumer' })
      expect(groups.map(({ groupId }) => groupId)).toContain(offsetsOnly)
    })

    test('a deleted group has forgotten its offsets; a running or unknown one cannot be deleted', async () => {
      const topic = await bench().topic()
      const reading = await bench().read(topic)
      const admin = await bench().admin(bench().impatientKafka())
      expect(await refusalOf(admin.deleteGroups([reading.groupId]))).toBe('NON_EMPTY_GROUP')
      await reading.consumer.disconnect()
      const client = await bench().protocolClient()
      await client.commit(reading.groupId, -1, '', offsetsOf(topic, '1'))
      await admin.deleteGroups([reading.groupId])
      expect((await client.committed(reading.groupId, topic)).offset).toBe('-1')
      expect(await refusalOf(admin.deleteGroups([reading.groupId]))).toBe('GROUP_ID_NOT_FOUND')
    })
  })
}
