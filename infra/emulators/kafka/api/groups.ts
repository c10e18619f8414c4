/** The requests of group members; what they mean is in `groups/`. */
import { ErrorCode } from '../wire/error-code.ts'
import { type Broker, NODE_ID, type Request } from './request.ts'

/** FindCoordinator 1. This broker is it, whatever is asked for. */
export function findCoordinator(broker: Broker, { body, response }: Request): undefined {
  body.string()
  body.int8()
  response.int32(0).int16(ErrorCode.none).string(null).int32(NODE_ID).string(broker.host).int32(broker.port)
}

/** JoinGroup 2. */
export async function joinGroup(broker: Broker, { clientId, body, response, signal }: Request): Promise<undefined> {
  const groupId = body.string()
  const [sessionTimeoutMs, rebalanceTimeoutMs] = [body.int32(), body.int32()]
  const [memberId, protocolType] = [body.string(), body.string()]
  const protocols = body.array((protocol) => ({ name: protocol.string(), metadata: protocol.bytes() }))
  const settings = { clientId, protocolType, protocols, sessionTimeoutMs, rebalanceTimeoutMs }
  const joined = await broker.coordinator.join(groupId, memberId, settings, signal)
  response.int32(0).int16(joined.error).int32(joined.generation).string(joined.protocol).string(joined.leaderId).string(joined.memberId)
  response.array(joined.members, ({ id, metadata }) => response.string(id).bytes(metadata))
}

/** SyncGroup 1. */
export async function syncGroup(broker: Broker, { body, response, signal }: Request): Promise<undefined> {
  const [groupId, generation, memberId] = [body.string(), body.int32(), body.string()]
  const assignments = new Map(body.array((share) => [share.string(), share.bytes()] as const))
  const { error, assignment } = await broker.coordinator.sync(groupId, generation, memberId, assignments, signal)
  response.int32(0).int16(error).bytes(assignment)
}

/** Heartbeat 1. */
export function heartbeat(broker: Broker, { body, response }: Request): undefined {
  response.int32(0).int16(broker.coordinator.heartbeat(body.string(), body.int32(), body.string()))
}

/** LeaveGroup 1. */
export function leaveGroup(broker: Broker, { body, response }: Request): undefined {
  response.int32(0).int16(broker.coordinator.leave(body.string(), body.string()))
}

/** DescribeGroups 1. A group that nobody knows is `Dead`, as Apache Kafka has it for old clients. */
export function describeGroups(broker: Broker, { body, response }: Request): undefined {
  const ids = body.array((group) => group.string())
  response.int32(0).array(ids, (id) => {
    const group = broker.coordinator.find(id)
    const members = group?.members() ?? []
    response
      .int16(ErrorCode.none)
      .string(id)
      .string(group?.state ?? 'Dead')
    response.string(members[0]?.protocolType ?? '').string(group?.protocol ?? '')
    response.array(members, (member) => {
      response.string(member.id).string(member.clientId).string(`/${broker.host}`).bytes(member.metadata).bytes(member.assignment)
    })
  })
}
