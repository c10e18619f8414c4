/** All consumer groups. Membership lives in memory only: after a restart the members are unknown and join again, their offsets are kept. */
import { randomUUID } from 'node:crypto'
import type { Database } from '../log/database.ts'
import { ErrorCode } from '../wire/error-code.ts'
import type { CommittedOffset, CommittedOffsets } from './committed-offsets.ts'
import { Group } from './group.ts'
import { type JoinResult, joinFailure, type MemberSettings, type SyncResult, syncFailure } from './member.ts'

/** Apache Kafka's `group.min.session.timeout.ms` and `group.max.session.timeout.ms`. */
const SESSION_TIMEOUT_MS = { least: 6_000, most: 1_800_000 }

export type JoinRequest = MemberSettings & { groupId: string; memberId: string; protocolType: string }

export type GroupDescription = {
  id: string
  state: string
  protocolType: string
  protocol: string
  members: ReturnType<Group['describeMembers']>
}

export class GroupCoordinator {
  private readonly database: Database
  private readonly offsets: CommittedOffsets
  private readonly groups = new Map<string, Group>()

  constructor(database: Database, offsets: CommittedOffsets) {
    this.database = database
    this.offsets = offsets
  }

  /** Resolves when the next generation of the group begins. `signal` aborts when the member's connection is gone. */
  join(request: JoinRequest, signal: AbortSignal): Promise<JoinResult> {
    const { groupId, memberId, protocolType, protocols, sessionTimeoutMs } = request
    const refuse = (error: ErrorCode) => Promise.resolve(joinFailure(error, memberId))
    if (groupId === '') return refuse(ErrorCode.invalidGroupId)
    if (sessionTimeoutMs < SESSION_TIMEOUT_MS.least || sessionTimeoutMs > SESSION_TIMEOUT_MS.most)
      return refuse(ErrorCode.invalidSessionTimeout)
    if (protocolType === '' || protocols.length === 0) return refuse(ErrorCode.inconsistentGroupProtocol)
    const isNew = memberId === ''
    if (!isNew && !this.groups.get(groupId)?.has(memberId)) return refuse(ErrorCode.unknownMemberId)
    const group = this.group(groupId)
    if (!group.accepts(protocolType, protocols, memberId)) return refuse(ErrorCode.inconsistentGroupProtocol)
    const id = isNew ? `${request.clientId}-${randomUUID()}` : memberId
    return waitForAnswer<JoinResult>(
      (answer) => group.join(id, protocolType, request, answer),
      signal,
      (answer) => group.abandonWait(id, answer, isNew),
    )
  }

  /** Resolves with the member's share once the leader has handed out the partitions. */
  sync(
    groupId: string,
    generation: number,
    memberId: string,
    assignments: ReadonlyMap<string, Buffer>,
    signal: AbortSignal,
  ): Promise<SyncResult> {
    const group = this.groups.get(groupId)
    if (group === undefined) return Promise.resolve(syncFailure(ErrorCode.unknownMemberId))
    return waitForAnswer<SyncResult>(
      (answer) => group.sync(memberId, generation, assignments, answer),
      signal,
      (answer) => group.abandonWait(memberId, answer, false),
    )
  }

  heartbeat(groupId: string, generation: number, memberId: string): ErrorCode {
    return this.groups.get(groupId)?.heartbeat(memberId, generation) ?? ErrorCode.unknownMemberId
  }

  leave(groupId: string, memberId: string): ErrorCode {
    const group = this.groups.get(groupId)
    if (!group?.has(memberId)) return ErrorCode.unknownMemberId
    group.remove(memberId)
    return ErrorCode.none
  }

  /** Stores offsets if the member may commit in this generation. They are on disk when this resolves without an error. */
  commit(groupId: string, generation: number, memberId: string, offsets: readonly CommittedOffset[]): Promise<ErrorCode> {
    return this.database.write(() => {
      const problem = this.commitProblem(groupId, generation, memberId)
      if (problem !== ErrorCode.none) return problem
      this.group(groupId)
      for (const offset of offsets) this.offsets.commit(groupId, offset)
      return ErrorCode.none
    })
  }

  list(): { id: string; protocolType: string }[] {
    const ids = new Set([...this.groups.keys(), ...this.offsets.groupIds()])
    return [...ids].map((id) => ({ id, protocolType: this.groups.get(id)?.protocolType ?? '' }))
  }

  /** A group that nobody knows is described as `Dead`, as Apache Kafka does for old clients. */
  describe(groupId: string): GroupDescription {
    const group = this.groups.get(groupId)
    if (group !== undefined) {
      const { id, state, protocolType } = group
      // A protocol is only settled between two rebalances.
      return { id, state, protocolType, protocol: state === 'Stable' ? group.protocol : '', members: group.describeMembers() }
    }
    const state = this.offsets.ofGroup(groupId).length > 0 ? 'Empty' : 'Dead'
    return { id: groupId, state, protocolType: '', protocol: '', members: [] }
  }

  delete(groupId: string): Promise<ErrorCode> {
    return this.database.write(() => {
      const { state } = this.describe(groupId)
      if (state === 'Dead') return ErrorCode.groupIdNotFound
      if (state !== 'Empty') return ErrorCode.nonEmptyGroup
      this.groups.get(groupId)?.close()
      this.groups.delete(groupId)
      this.offsets.forget(groupId)
      return ErrorCode.none
    })
  }

  close(): void {
    for (const group of this.groups.values()) group.close()
  }

  private commitProblem(groupId: string, generation: number, memberId: string): ErrorCode {
    if (groupId === '') return ErrorCode.invalidGroupId
    const group = this.groups.get(groupId)
    if (group !== undefined) return group.commitProblem(memberId, generation)
    return generation < 0 && memberId === '' ? ErrorCode.none : ErrorCode.unknownMemberId
  }

  private group(groupId: string): Group {
    let group = this.groups.get(groupId)
    if (group === undefined) {
      group = new Group(groupId)
      this.groups.set(groupId, group)
    }
    return group
  }
}

/** Waits for the group's answer, and tells the group when nobody is there any more to receive it. */
function waitForAnswer<T>(ask: (answer: (result: T) => void) => void, signal: AbortSignal, abandon: (answer: unknown) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const answer = (result: T) => {
      signal.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const onAbort = () => {
      reject(signal.reason)
      abandon(answer)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    ask(answer)
  })
}
