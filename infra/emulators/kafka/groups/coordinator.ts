/** All consumer groups. Membership lives in memory only: after a restart the members are unknown and join again, their offsets are kept. */
import { randomUUID } from 'node:crypto'
import type { DataFile } from '../../data-file.ts'
import { ErrorCode } from '../wire/error-code.ts'
import { failedJoin, failedSync, Group, type JoinResult, type MemberSettings, type SyncResult } from './group.ts'

export const OFFSETS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS committed_offsets (
    group_id TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL, metadata TEXT NOT NULL,
    PRIMARY KEY (group_id, topic, partition)) WITHOUT ROWID
`

/** Apache Kafka's `group.min.session.timeout.ms` and `group.max.session.timeout.ms`. */
const LEAST_SESSION_MS = 6_000
const MOST_SESSION_MS = 1_800_000

export type CommittedOffset = { topic: string; partition: number; offset: number; metadata: string }

export class GroupCoordinator {
  readonly #file: DataFile
  readonly #groups = new Map<string, Group>()

  constructor(file: DataFile) {
    this.#file = file
  }

  find(groupId: string): Group | undefined {
    return this.#groups.get(groupId)
  }

  /** Resolves when the next generation of the group begins. `signal` aborts when the member's connection is gone. */
  async join(groupId: string, memberId: string, settings: MemberSettings, signal: AbortSignal): Promise<JoinResult> {
    const { sessionTimeoutMs } = settings
    if (groupId === '') return failedJoin(ErrorCode.invalidGroupId, memberId)
    if (sessionTimeoutMs < LEAST_SESSION_MS || sessionTimeoutMs > MOST_SESSION_MS)
      return failedJoin(ErrorCode.invalidSessionTimeout, memberId)
    const isNew = memberId === ''
    if (!isNew && !this.find(groupId)?.has(memberId)) return failedJoin(ErrorCode.unknownMemberId, memberId)
    const group = this.find(groupId) ?? new Group()
    if (settings.protocolType === '' || !group.accepts(settings, memberId)) return failedJoin(ErrorCode.inconsistentGroupProtocol, memberId)
    this.#groups.set(groupId, group)
    const id = isNew ? `${settings.clientId}-${randomUUID()}` : memberId
    return untilAnswered<JoinResult>(
      (answer) => group.join(id, settings, answer),
      signal,
      (answer) => group.abandonWait(id, answer, isNew),
    )
  }

  /** Resolves with the member's share once the leader has handed out the partitions. */
  async sync(
    groupId: string,
    generation: number,
    memberId: string,
    assignments: ReadonlyMap<string, Buffer>,
    signal: AbortSignal,
  ): Promise<SyncResult> {
    const group = this.find(groupId)
    if (!group) return failedSync(ErrorCode.unknownMemberId)
    return untilAnswered<SyncResult>(
      (answer) => group.sync(memberId, generation, assignments, answer),
      signal,
      (answer) => group.abandonWait(memberId, answer, false),
    )
  }

  heartbeat(groupId: string, generation: number, memberId: string): ErrorCode {
    return this.find(groupId)?.heartbeat(memberId, generation) ?? ErrorCode.unknownMemberId
  }

  leave(groupId: string, memberId: string): ErrorCode {
    const group = this.find(groupId)
    if (!group?.has(memberId)) return ErrorCode.unknownMemberId
    group.remove(memberId)
    return ErrorCode.none
  }

  /** Stores offsets if the member may commit in this generation. They are on disk when this resolves without an error. */
  commit(groupId: string, generation: number, memberId: string, offsets: readonly CommittedOffset[]): Promise<ErrorCode> {
    return this.#file.write(() => {
      const problem = this.#commitProblem(groupId, generation, memberId)
      if (problem !== ErrorCode.none) return problem
      const sql = 'INSERT OR REPLACE INTO committed_offsets (group_id, topic, partition, offset, metadata) VALUES (?, ?, ?, ?, ?)'
      for (const { topic, partition, offset, metadata } of offsets) this.#file.change(sql, groupId, topic, partition, offset, metadata)
      return ErrorCode.none
    })
  }

  /** Offset -1 when the group has committed nothing. */
  committed(groupId: string, topic: string, partition: number): CommittedOffset {
    const sql = 'SELECT offset, metadata FROM committed_offsets WHERE group_id = ? AND topic = ? AND partition = ?'
    const row = this.#file.get(sql, groupId, topic, partition)
    return { topic, partition, offset: Number(row?.offset ?? -1), metadata: String(row?.metadata ?? '') }
  }

  close(): void {
    for (const group of this.#groups.values()) group.close()
  }

  #commitProblem(groupId: string, generation: number, memberId: string): ErrorCode {
    if (groupId === '') return ErrorCode.invalidGroupId
    const group = this.find(groupId)
    if (group) return group.commitProblem(memberId, generation)
    return generation < 0 && memberId === '' ? ErrorCode.none : ErrorCode.unknownMemberId
  }
}

/** Waits for the group's answer, and tells the group when nobody is there any more to receive it. */
function untilAnswered<T>(ask: (answer: (result: T) => void) => void, signal: AbortSignal, abandon: (answer: unknown) => void): Promise<T> {
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
