import { ErrorCode } from '../wire/error-code.ts'
import { type Broker, type Call, NODE_ID } from './handler.ts'

/**
 * FindCoordinator 1. This broker is it, whatever is asked for. For a transaction too: the client then asks for a transactional producer
 * id and is refused there, with an error that it shows to its user.
 */
export function findCoordinator(broker: Broker, { request, response }: Call): undefined {
  request.string()
  request.int8()
  response.int32(0).int16(ErrorCode.none).string(null).int32(NODE_ID).string(broker.host).int32(broker.port)
}

/** JoinGroup 2. */
export async function joinGroup(broker: Broker, { clientId, clientHost, request, response, signal }: Call): Promise<undefined> {
  const join = {
    clientId,
    clientHost,
    groupId: request.string(),
    sessionTimeoutMs: request.int32(),
    rebalanceTimeoutMs: request.int32(),
    memberId: request.string(),
    protocolType: request.string(),
    protocols: request.array((protocol) => ({ name: protocol.string(), metadata: protocol.bytes() })),
  }
  const result = await broker.coordinator.join(join, signal)
  response.int32(0).int16(result.error).int32(result.generation).string(result.protocol).string(result.leaderId).string(result.memberId)
  response.array(result.members, ({ id, metadata }) => response.string(id).bytes(metadata))
}

/** SyncGroup 1. */
export async function syncGroup(broker: Broker, { request, response, signal }: Call): Promise<undefined> {
  const groupId = request.string()
  const generation = request.int32()
  const memberId = request.string()
  const assignments = new Map(request.array((share) => [share.string(), share.bytes()] as const))
  const { error, assignment } = await broker.coordinator.sync(groupId, generation, memberId, assignments, signal)
  response.int32(0).int16(error).bytes(assignment)
}

/** Heartbeat 1. */
export function heartbeat(broker: Broker, { request, response }: Call): undefined {
  response.int32(0).int16(broker.coordinator.heartbeat(request.string(), request.int32(), request.string()))
}

/** LeaveGroup 1. */
export function leaveGroup(broker: Broker, { request, response }: Call): undefined {
  response.int32(0).int16(broker.coordinator.leave(request.string(), request.string()))
}

/** DescribeGroups 0 and 1. */
export function describeGroups(broker: Broker, { version, request, response }: Call): undefined {
  const groups = request.array((group) => broker.coordinator.describe(group.string()))
  if (version >= 1) response.int32(0)
  response.array(groups, ({ id, state, protocolType, protocol, members }) => {
    response.int16(ErrorCode.none).string(id).string(state).string(protocolType).string(protocol)
    response.array(members, (member) => {
      response.string(member.id).string(member.clientId).string(member.clientHost).bytes(member.metadata).bytes(member.assignment)
    })
  })
}

/** ListGroups 0 and 1. */
export function listGroups(broker: Broker, { version, response }: Call): undefined {
  if (version >= 1) response.int32(0)
  response.int16(ErrorCode.none).array(broker.coordinator.list(), ({ id, protocolType }) => response.string(id).string(protocolType))
}

/** DeleteGroups 0 and 1. */
export async function deleteGroups(broker: Broker, { request, response }: Call): Promise<undefined> {
  const ids = request.array((group) => group.string())
  const errors = await Promise.all(ids.map((id) => broker.coordinator.delete(id)))
  response.int32(0).array(ids, (id) => response.string(id).int16(errors[ids.indexOf(id)]!))
}
