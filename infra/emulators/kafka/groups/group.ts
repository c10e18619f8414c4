/**
 * One consumer group: who is in it, and the turns of a rebalance. A generation begins when all members have joined (the barrier), the
 * leader hands out the partitions, and it holds until somebody comes, leaves or falls silent.
 */
import { ErrorCode } from '../wire/error-code.ts'
import {
  chooseProtocol,
  hasSameProtocols,
  type JoinResult,
  joinFailure,
  type Member,
  type MemberSettings,
  metadataOf,
  NOTHING,
  type Protocol,
  type SyncResult,
  speaks,
  syncFailure,
} from './member.ts'

/** How long an empty group waits for more members before its first generation, so that replicas starting together share one rebalance. */
const INITIAL_DELAY_MS = 200

export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead'
export class Group {
  readonly id: string
  state: GroupState = 'Empty'
  generation = 0
  protocolType = ''
  protocol = ''
  private leaderId = ''
  private readonly members = new Map<string, Member>()
  private barrier: NodeJS.Timeout | undefined

  constructor(id: string) {
    this.id = id
  }

  has(memberId: string): boolean {
    return this.members.has(memberId)
  }

  describeMembers(): { id: string; clientId: string; clientHost: string; metadata: Buffer; assignment: Buffer }[] {
    return [...this.members.values()].map((member) => ({
      ...member,
      metadata: metadataOf(member, this.protocol),
      assignment: this.state === 'Stable' ? member.assignment : NOTHING,
    }))
  }

  /** Whether somebody who speaks these protocols could be in the group with all the others. */
  accepts(protocolType: string, protocols: readonly Protocol[], memberId: string): boolean {
    const others = [...this.members.values()].filter((member) => member.id !== memberId)
    if (others.length === 0) return true
    return protocolType === this.protocolType && protocols.some(({ name }) => others.every((member) => speaks(member, name)))
  }

  /** `answer` is called once, when the generation begins or the member is turned away. */
  join(memberId: string, protocolType: string, settings: MemberSettings, answer: (result: JoinResult) => void): void {
    const known = this.members.get(memberId)
    if (known !== undefined && this.isUnchanged(known, settings.protocols)) {
      // The answer to its last join was lost on the way, or it asks without need.
      answer(this.joinResult(known))
      this.touch(known)
      return
    }
    const member: Member = {
      ...settings,
      id: memberId,
      assignment: NOTHING,
      answerJoin: undefined,
      answerSync: undefined,
      session: known?.session,
    }
    known?.answerJoin?.(joinFailure(ErrorCode.rebalanceInProgress, memberId))
    known?.answerSync?.(syncFailure(ErrorCode.rebalanceInProgress))
    this.members.set(memberId, member)
    this.protocolType = protocolType
    member.answerJoin = answer
    clearTimeout(member.session)
    if (this.state !== 'PreparingRebalance') {
      this.prepareRebalance()
      return
    }
    if (this.isGathering() && known === undefined) this.barrier?.refresh()
    this.completeWhenAllJoined()
  }

  sync(memberId: string, generation: number, assignments: ReadonlyMap<string, Buffer>, answer: (result: SyncResult) => void): void {
    let problem = this.problemWith(memberId, generation)
    if (problem === ErrorCode.none && this.state === 'PreparingRebalance') problem = ErrorCode.rebalanceInProgress
    if (problem !== ErrorCode.none) {
      answer(syncFailure(problem))
      return
    }
    const member = this.members.get(memberId)!
    if (this.state === 'CompletingRebalance') {
      clearTimeout(member.session)
      member.answerSync = answer
      if (memberId === this.leaderId) this.becomeStable(assignments)
      return
    }
    answer({ error: ErrorCode.none, assignment: member.assignment })
    this.touch(member)
  }

  heartbeat(memberId: string, generation: number): ErrorCode {
    const problem = this.problemWith(memberId, generation)
    if (problem !== ErrorCode.none) return problem
    this.touch(this.members.get(memberId)!)
    return this.state === 'PreparingRebalance' ? ErrorCode.rebalanceInProgress : ErrorCode.none
  }

  /** Whether a member may commit offsets now. Without a member id and generation (an administrator) only while nobody is in the group. */
  commitProblem(memberId: string, generation: number): ErrorCode {
    if (generation < 0 && memberId === '') return this.members.size === 0 ? ErrorCode.none : ErrorCode.unknownMemberId
    const problem = this.problemWith(memberId, generation)
    if (problem !== ErrorCode.none) return problem
    this.touch(this.members.get(memberId)!)
    return this.state === 'CompletingRebalance' ? ErrorCode.rebalanceInProgress : ErrorCode.none
  }

  remove(memberId: string): void {
    const member = this.members.get(memberId)
    if (member === undefined) return
    clearTimeout(member.session)
    this.members.delete(memberId)
    member.answerJoin?.(joinFailure(ErrorCode.unknownMemberId, memberId))
    member.answerSync?.(syncFailure(ErrorCode.unknownMemberId))
    if (this.state === 'PreparingRebalance') this.completeWhenAllJoined()
    else this.prepareRebalance()
  }

  /**
   * The connection on which this member waits for an answer is gone. One that has not been told its id yet can never come back under
   * it and would only hold partitions; any other has its session time to come back.
   */
  abandonWait(memberId: string, answer: unknown, isNew: boolean): void {
    const member = this.members.get(memberId)
    if (member === undefined || (member.answerJoin !== answer && member.answerSync !== answer)) return
    member.answerJoin = undefined
    member.answerSync = undefined
    if (isNew) this.remove(memberId)
    else this.touch(member)
  }

  /** No timer of a dead group fires any more. */
  close(): void {
    this.state = 'Dead'
    clearTimeout(this.barrier)
    for (const member of this.members.values()) clearTimeout(member.session)
  }

  private prepareRebalance(): void {
    const wasEmpty = this.state === 'Empty'
    this.state = 'PreparingRebalance'
    for (const member of this.members.values()) {
      this.answerSync(member, syncFailure(ErrorCode.rebalanceInProgress))
      member.assignment = NOTHING
    }
    clearTimeout(this.barrier)
    const limit = Math.max(0, ...[...this.members.values()].map((member) => member.rebalanceTimeoutMs))
    this.barrier = setTimeout(() => this.beginGeneration(), wasEmpty ? Math.min(INITIAL_DELAY_MS, limit) : limit)
    if (!wasEmpty) this.completeWhenAllJoined()
  }

  /** A group that was empty waits its delay in any case: nobody knows yet how many will come. */
  private isGathering(): boolean {
    return this.protocol === '' && this.members.size > 0
  }

  private completeWhenAllJoined(): void {
    if (this.isGathering()) return
    if ([...this.members.values()].every((member) => member.answerJoin !== undefined)) this.beginGeneration()
  }

  private beginGeneration(): void {
    clearTimeout(this.barrier)
    for (const member of [...this.members.values()]) {
      if (member.answerJoin !== undefined) continue
      clearTimeout(member.session)
      this.members.delete(member.id)
    }
    this.generation++
    if (this.members.size === 0) {
      this.state = 'Empty'
      this.protocol = ''
      this.leaderId = ''
      return
    }
    this.protocol = chooseProtocol([...this.members.values()])
    if (!this.members.has(this.leaderId)) this.leaderId = this.members.keys().next().value!
    this.state = 'CompletingRebalance'
    for (const member of this.members.values()) {
      member.answerJoin?.(this.joinResult(member))
      member.answerJoin = undefined
      this.touch(member)
    }
  }

  private becomeStable(assignments: ReadonlyMap<string, Buffer>): void {
    this.state = 'Stable'
    for (const member of this.members.values()) {
      member.assignment = assignments.get(member.id) ?? NOTHING
      this.answerSync(member, { error: ErrorCode.none, assignment: member.assignment })
    }
  }

  private answerSync(member: Member, result: SyncResult): void {
    if (member.answerSync === undefined) return
    member.answerSync(result)
    member.answerSync = undefined
    this.touch(member)
  }

  private joinResult(member: Member): JoinResult {
    const isLeader = member.id === this.leaderId
    return {
      error: ErrorCode.none,
      generation: this.generation,
      protocol: this.protocol,
      leaderId: this.leaderId,
      memberId: member.id,
      members: isLeader ? [...this.members.values()].map((each) => ({ id: each.id, metadata: metadataOf(each, this.protocol) })) : [],
    }
  }

  /** A follower that joins again with nothing new, in a generation that it belongs to. A leader who does so wants a rebalance. */
  private isUnchanged(member: Member, protocols: readonly Protocol[]): boolean {
    const isSettled = this.state === 'CompletingRebalance' || (this.state === 'Stable' && member.id !== this.leaderId)
    return isSettled && hasSameProtocols(member.protocols, protocols)
  }

  private problemWith(memberId: string, generation: number): ErrorCode {
    if (!this.members.has(memberId)) return ErrorCode.unknownMemberId
    return generation === this.generation ? ErrorCode.none : ErrorCode.illegalGeneration
  }

  /** Starts the member's session anew. Nobody's session ends while the broker owes it an answer. */
  private touch(member: Member): void {
    clearTimeout(member.session)
    if (member.answerJoin !== undefined || member.answerSync !== undefined || this.state === 'Dead') return
    member.session = setTimeout(() => this.remove(member.id), member.sessionTimeoutMs)
  }
}
