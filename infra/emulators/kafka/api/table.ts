/** Which requests this broker understands: old versions on purpose, for their encoding is plain and every client still speaks them. */
import { notImplemented } from '../../not-implemented.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { Writer } from '../wire/writer.ts'
import { describeGroups, findCoordinator, heartbeat, joinGroup, leaveGroup, syncGroup } from './groups.ts'
import { fetch, initProducerId, produce } from './messages.ts'
import { listOffsets, offsetCommit, offsetFetch } from './offsets.ts'
import type { Broker, Handler, Request } from './request.ts'
import { createTopics, metadata } from './topics.ts'

const API_VERSIONS_KEY = 18

/** By the key of the protocol; a pair of versions: from and to. */
const REQUESTS: Record<number, { name: string; versions: readonly [number, number]; handle: Handler }> = {
  0: { name: 'Produce', versions: [3, 3], handle: produce },
  1: { name: 'Fetch', versions: [4, 4], handle: fetch },
  2: { name: 'ListOffsets', versions: [1, 1], handle: listOffsets },
  3: { name: 'Metadata', versions: [4, 4], handle: metadata },
  8: { name: 'OffsetCommit', versions: [3, 3], handle: offsetCommit },
  9: { name: 'OffsetFetch', versions: [3, 3], handle: offsetFetch },
  10: { name: 'FindCoordinator', versions: [1, 1], handle: findCoordinator },
  11: { name: 'JoinGroup', versions: [2, 2], handle: joinGroup },
  12: { name: 'Heartbeat', versions: [1, 1], handle: heartbeat },
  13: { name: 'LeaveGroup', versions: [1, 1], handle: leaveGroup },
  14: { name: 'SyncGroup', versions: [1, 1], handle: syncGroup },
  15: { name: 'DescribeGroups', versions: [1, 1], handle: describeGroups },
  [API_VERSIONS_KEY]: { name: 'ApiVersions', versions: [0, 2], handle: apiVersions },
  19: { name: 'CreateTopics', versions: [2, 2], handle: createTopics },
  22: { name: 'InitProducerId', versions: [0, 0], handle: initProducerId },
}

/** @throws Error for a request that is not in the table, or in another version: its connection cannot go on. */
export function handlerOf(key: number, version: number): Handler {
  const known = REQUESTS[key]
  if (known && version >= known.versions[0] && version <= known.versions[1]) return known.handle
  // A client that asks for the versions in one that is too new is answered with the supported ones.
  if (key === API_VERSIONS_KEY) return (_broker, { response }) => writeVersions(response, ErrorCode.unsupportedVersion)
  throw new Error(notImplemented(`${known?.name ?? `request ${key}`} in version ${version}`))
}

function apiVersions(_broker: Broker, { version, response }: Request): undefined {
  writeVersions(response, ErrorCode.none)
  if (version >= 1) response.int32(0)
}

function writeVersions(response: Writer, error: ErrorCode): undefined {
  response.int16(error).array(Object.entries(REQUESTS), ([key, { versions }]) => {
    response.int16(Number(key)).int16(versions[0]).int16(versions[1])
  })
}
