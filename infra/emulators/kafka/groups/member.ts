/** One member of a group: what it has told of itself, and which answers the broker owes it. */
import type { ErrorCode } from '../wire/error-code.ts'

export type Protocol = { name: string; metadata: Buffer }

export type JoinResult = {
  error: ErrorCode
  generation: number
  protocol: string
  leaderId: string
  memberId: string
  /** Filled for the leader only: it assigns the partitions. */
  members: { id: string; metadata: Buffer }[]
}
export type SyncResult = { error: ErrorCode; assignment: Buffer }

export type MemberSettings = {
  clientId: string
  clientHost: string
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
  protocols: Protocol[]
}

export type Member = MemberSettings & {
  id: string
  assignment: Buffer
  answerJoin: ((result: JoinResult) => void) | undefined
  answerSync: ((result: SyncResult) => void) | undefined
  session: NodeJS.Timeout | undefined
}

export const NOTHING = Buffer.alloc(0)

export function joinFailure(error: ErrorCode, memberId: string): JoinResult {
  return { error, generation: -1, protocol: '', leaderId: '', memberId, members: [] }
}

export function syncFailure(error: ErrorCode): SyncResult {
  return { error, assignment: NOTHING }
}

export function speaks(member: Member, protocolName: string): boolean {
  return member.protocols.some(({ name }) => name === protocolName)
}

export function metadataOf(member: Member, protocolName: string): Buffer {
  return member.protocols.find(({ name }) => name === protocolName)?.metadata ?? NOTHING
}

export function hasSameProtocols(before: readonly Protocol[], now: readonly Protocol[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ name, metadata }, index) => name === now[index]!.name && metadata.equals(now[index]!.metadata))
  )
}

/** Every member votes for the first of its protocols that all of them speak; the group makes sure that there is one. */
export function chooseProtocol(members: readonly Member[]): string {
  const votes = new Map<string, number>()
  for (const member of members) {
    const vote = member.protocols.find(({ name }) => members.every((each) => speaks(each, name)))!.name
    votes.set(vote, (votes.get(vote) ?? 0) + 1)
  }
  return [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best))[0]
}
