/** Which requests this broker understands. Old versions on purpose: their encoding is plain, and every client still speaks them. */
import { ErrorCode } from '../wire/error-code.ts'
import type { Writer } from '../wire/writer.ts'
import { alterConfigs, describeConfigs } from './configs.ts'
import { fetch } from './fetch.ts'
import { deleteGroups, describeGroups, findCoordinator, heartbeat, joinGroup, leaveGroup, listGroups, syncGroup } from './groups.ts'
import { type Broker, type Call, type Handler, TRANSACTIONS_REFUSED } from './handler.ts'
import { listOffsets, offsetCommit, offsetFetch } from './offsets.ts'
import { produce } from './produce.ts'
import { createPartitions, createTopics, deleteRecords, deleteTopics, metadata } from './topics.ts'

type Api = { key: number; name: string; least: number; most: number; handle: Handler }

export const API_VERSIONS_KEY = 18

const APIS: readonly Api[] = [
  { key: 0, name: 'Produce', least: 3, most: 3, handle: produce },
  { key: 1, name: 'Fetch', least: 4, most: 4, handle: fetch },
  { key: 2, name: 'ListOffsets', least: 1, most: 1, handle: listOffsets },
  { key: 3, name: 'Metadata', least: 1, most: 4, handle: metadata },
  { key: 8, name: 'OffsetCommit', least: 2, most: 3, handle: offsetCommit },
  { key: 9, name: 'OffsetFetch', least: 1, most: 3, handle: offsetFetch },
  { key: 10, name: 'FindCoordinator', least: 1, most: 1, handle: findCoordinator },
  { key: 11, name: 'JoinGroup', least: 2, most: 2, handle: joinGroup },
  { key: 12, name: 'Heartbeat', least: 1, most: 1, handle: heartbeat },
  { key: 13, name: 'LeaveGroup', least: 1, most: 1, handle: leaveGroup },
  { key: 14, name: 'SyncGroup', least: 1, most: 1, handle: syncGroup },
  { key: 15, name: 'DescribeGroups', least: 0, most: 1, handle: describeGroups },
  { key: 16, name: 'ListGroups', least: 0, most: 1, handle: listGroups },
  { key: API_VERSIONS_KEY, name: 'ApiVersions', least: 0, most: 2, handle: apiVersions },
  { key: 19, name: 'CreateTopics', least: 2, most: 2, handle: createTopics },
  { key: 20, name: 'DeleteTopics', least: 1, most: 1, handle: deleteTopics },
  { key: 21, name: 'DeleteRecords', least: 0, most: 0, handle: deleteRecords },
  { key: 22, name: 'InitProducerId', least: 0, most: 0, handle: initProducerId },
  { key: 32, name: 'DescribeConfigs', least: 0, most: 2, handle: describeConfigs },
  { key: 33, name: 'AlterConfigs', least: 0, most: 0, handle: alterConfigs },
  { key: 37, name: 'CreatePartitions', least: 0, most: 0, handle: createPartitions },
  { key: 42, name: 'DeleteGroups', least: 0, most: 1, handle: deleteGroups },
]

const BY_KEY = new Map(APIS.map((api) => [api.key, api]))

/** The handler of this request, or undefined when the broker does not know it in that version. */
export function findApi(key: number, version: number): Api | undefined {
  const api = BY_KEY.get(key)
  return api !== undefined && version >= api.least && version <= api.most ? api : undefined
}

/** The body of an ApiVersions answer: also what a client gets that asks in a version which is too new. */
export function writeApiVersions(response: Writer, error: ErrorCode): void {
  response.int16(error).array(APIS, ({ key, least, most }) => response.int16(key).int16(least).int16(most))
}

function apiVersions(_broker: Broker, { version, response }: Call): undefined {
  writeApiVersions(response, ErrorCode.none)
  if (version >= 1) response.int32(0)
}

async function initProducerId(broker: Broker, { request, response }: Call): Promise<undefined> {
  if (request.nullableString() !== null) {
    broker.report(TRANSACTIONS_REFUSED)
    response.int32(0).int16(ErrorCode.transactionalIdAuthorizationFailed).int64(-1).int16(-1)
    return
  }
  const producerId = await broker.database.write(() => broker.log.takeProducerId())
  response.int32(0).int16(ErrorCode.none).int64(producerId).int16(0)
}
