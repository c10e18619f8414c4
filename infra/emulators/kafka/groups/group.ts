/**
 * One consumer group: who is in it, and the turns of a rebalance. A generation begins when all members have joined (the barrier), the
 * leader hands out the partitions, and it holds until somebody comes, leaves or falls silent.
 */
import { ErrorCode } from '../wire/error-code.ts'

/** How long an empty group waits for more members before its first generation, so that replicas starting together share one rebalance. */
const INITIAL_DELAY_MS = 200
const NOTHING = Buffer.alloc(0)

export type Protocol = { name: string; metadata: Buffer }

export type MemberSettings = {
  clientId: string
  protocolType: string
  /** In the order of the member's preference. */
  protocols: Protocol[]
  sessionTimeoutMs: number
  rebalanceTimeoutMs: number
}

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

type Member = MemberSettings & {
  id: string
  assignment: Buffer
  /** Which answers it waits for. */
  answerJoin: ((result: JoinResult) => void) | undefined
  answerSync: ((result: SyncResult) => void) | undefined
  session: NodeJS.Timeout | undefined
}

export const failedJoin = (error: ErrorCode, memberId: string): JoinResult => {
  return { error, generation: -1, protocol: '', leaderId: '', memberId, members: [] }
}
export const failedSync = (error: ErrorCode): SyncResult => ({ error, assignment: NOTHING })

const speaks = (member: Member, protocol: string): boolean => member.protocols.some(({ name }) => name === protocol)
const metadataOf = (member: Member, protocol: string): Buffer => member.protocols.find(({ name }) => name === protocol)?.metadata ?? NOTHING

export class Group {
  state: 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead' = 'Empty'
  generation = 0
  protocol = ''
  #leaderId = ''
  readonly #members = new Map<string, Member>()
  #barrier: NodeJS.Timeout | undefined

  has(memberId: string): boolean {
    return this.#members.has(memberId)
  }

  members(): { id: string; clientId: string; protocolType: string; metadata: Buffer; assignment: Buffer }[] {
    return [...this.#members.values()].map((member) => ({ ...member, metadata: metadataOf(member, this.protocol) }))
  }

  /** Whether somebody who speaks these protocols could be in the group with all the others. */
  accepts({ protocolType, protocols }: MemberSettings, memberId: string): boolean {
    const others = [...this.#members.values()].filter(({ id }) => id !== memberId)
    const isShared = ({ name }: Protocol) => others.every((member) => speaks(member, name))
    return others.every((member) => member.protocolType === protocolType) && protocols.some(isShared)
  }

  /** `answer` is called once, when the generation begins or the member is turned away. */
  join(memberId: string, settings: MemberSettings, answer: (result: JoinResult) => void): void {
    const known = this.#members.get(memberId)
    if (known && this.#isUnchanged(known, settings.protocols)) {
      // The answer to its last join was lost on the way, or it asks without need.
      answer(this.#joinResult(known))
      this.#touch(known)
      return
    }
    known?.answerJoin?.(failedJoin(ErrorCode.rebalanceInProgress, memberId))
    known?.answerSync?.(failedSync(ErrorCode.rebalanceInProgress))
    clearTimeout(known?.session)
    this.#members.set(memberId, {
      ...settings,
      id: memberId,
      assignment: NOTHING,
      answerJoin: answer,
      answerSync: undefined,
      session: undefined,
    })
    if (this.state !== 'PreparingRebalance') this.#prepareRebalance()
    else if (this.#isGathering() && !known) this.#barrier?.refresh()
    else this.#completeWhenAllJoined()
  }

  sync(memberId: string, generation: number, assignments: ReadonlyMap<string, Buffer>, answer: (result: SyncResult) => void): void {
    let problem = this.#problemWith(memberId, generation)
    if (problem === ErrorCode.none && this.state === 'PreparingRebalance') problem = ErrorCode.rebalanceInProgress
    if (problem !== ErrorCode.none) {
      answer(failedSync(problem))
      return
    }
    const member = this.#members.get(memberId)!
    if (this.state === 'Stable') {
      answer({ error: ErrorCode.none, assignment: member.assignment })
      this.#touch(member)
      return
    }
    clearTimeout(member.session)
    member.answerSync = answer
    if (memberId === this.#leaderId) this.#becomeStable(assignments)
  }

  heartbeat(memberId: string, generation: number): ErrorCode {
    const problem = this.#problemWith(memberId, generation)
    if (problem !== ErrorCode.none) return problem
    this.#touch(this.#members.get(memberId)!)
    return this.state === 'PreparingRebalance' ? ErrorCode.rebalanceInProgress : ErrorCode.none
  }

  /** Whether a member may commit offsets now. Without a member id and generation (an administrator) only while nobody is in the group. */
  commitProblem(memberId: string, generation: number): ErrorCode {
    if (generation < 0 && memberId === '') return this.#members.size === 0 ? ErrorCode.none : ErrorCode.unknownMemberId
    const problem = this.#problemWith(memberId, generation)
    if (problem !== ErrorCode.none) return problem
    this.#touch(this.#members.get(memberId)!)
    return this.state === 'CompletingRebalance' ? ErrorCode.rebalanceInProgress : ErrorCode.none
  }

  remove(memberId: string): void {
    const member = this.#members.get(memberId)
    if (!member) return
    clearTimeout(member.session)
    this.#members.delete(memberId)
    member.answerJoin?.(failedJoin(ErrorCode.unknownMemberId, memberId))
    member.answerSync?.(failedSync(ErrorCode.unknownMemberId))
    if (this.state === 'PreparingRebalance') this.#completeWhenAllJoined()
    else this.#prepareRebalance()
  }

  /**
   * The connection on which this member waits for an answer is gone. One that has not been told its id yet can never come back under
   * it and would only hold partitions; any other has its session time to come back.
   */
  abandonWait(memberId: string, answer: unknown, isNew: boolean): void {
    const member = this.#members.get(memberId)
    if (!member || (member.answerJoin !== answer && member.answerSync !== answer)) return
    member.answerJoin = undefined
    member.answerSync = undefined
    if (isNew) this.remove(memberId)
    else this.#touch(member)
  }

  /** No timer of a dead group fires any more. */
  close(): void {
    this.state = 'Dead'
    clearTimeout(this.#barrier)
    for (const member of this.#members.values()) clearTimeout(member.session)
  }

  #prepareRebalance(): void {
    const wasEmpty = this.state === 'Empty'
    this.state = 'PreparingRebalance'
    for (const member of this.#members.values()) {
      this.#answerSync(member, failedSync(ErrorCode.rebalanceInProgress))
      member.assignment = NOTHING
    }
    clearTimeout(this.#barrier)
    const limit = Math.max(0, ...[...this.#members.values()].map((member) => member.rebalanceTimeoutMs))
    this.#barrier = setTimeout(() => this.#beginGeneration(), wasEmpty ? Math.min(INITIAL_DELAY_MS, limit) : limit)
    this.#completeWhenAllJoined()
  }

  /** A group that was empty waits its delay in any case: nobody knows yet how many will come. */
  #isGathering(): boolean {
    return this.protocol === '' && this.#members.size > 0
  }

  #completeWhenAllJoined(): void {
    const hasAll = [...this.#members.values()].every((member) => member.answerJoin)
    if (hasAll && !this.#isGathering()) this.#beginGeneration()
  }

  #beginGeneration(): void {
    clearTimeout(this.#barrier)
    for (const member of [...this.#members.values()]) {
      if (member.answerJoin) continue
      clearTimeout(member.session)
      this.#members.delete(member.id)
    }
    this.generation++
    const [first] = this.#members.values()
    if (!first) {
      this.state = 'Empty'
      this.protocol = ''
      return
    }
    const leader = this.#members.get(this.#leaderId) ?? first
    this.#leaderId = leader.id
    // There is one: nobody is let in without a protocol that all of them speak.
    this.protocol = leader.protocols.find(({ name }) => [...this.#members.values()].every((member) => speaks(member, name)))!.name
    this.state = 'CompletingRebalance'
    for (const member of this.#members.values()) {
      member.answerJoin?.(this.#joinResult(member))
      member.answerJoin = undefined
      this.#touch(member)
    }
  }

  #becomeStable(assignments: ReadonlyMap<string, Buffer>): void {
    this.state = 'Stable'
    for (const member of this.#members.values()) {
      member.assignment = assignments.get(member.id) ?? NOTHING
      this.#answerSync(member, { error: ErrorCode.none, assignment: member.assignment })
    }
  }

  #answerSync(member: Member, result: SyncResult): void {
    if (!member.answerSync) return
    member.answerSync(result)
    member.answerSync = undefined
    this.#touch(member)
  }

  #joinResult({ id: memberId }: Member): JoinResult {
    const { generation, protocol } = this
    const members = memberId === this.#leaderId ? this.members() : []
    return { error: ErrorCode.none, generation, protocol, leaderId: this.#leaderId, memberId, members }
  }

  /** A follower that joins again with nothing new, in a generation that it belongs to. A leader who does so wants a rebalance. */
  #isUnchanged(member: Member, protocols: readonly Protocol[]): boolean {
    const isSettled = this.state === 'CompletingRebalance' || (this.state === 'Stable' && member.id !== this.#leaderId)
    const isSame = ({ name, metadata }: Protocol, index: number) =>
      name === protocols[index]?.name && metadata.equals(protocols[index].metadata)
    return isSettled && member.protocols.length === protocols.length && member.protocols.every(isSame)
  }

  #problemWith(memberId: string, generation: number): ErrorCode {
    if (!this.#members.has(memberId)) return ErrorCode.unknownMemberId
    return generation === this.generation ? ErrorCode.none : ErrorCode.illegalGeneration
  }

  /** Starts the member's session anew. Nobody's session ends while the broker owes it an answer. */
  #touch(member: Member): void {
    clearTimeout(member.session)
    if (member.answerJoin || member.answerSync || this.state === 'Dead') return
    member.session = setTimeout(() => this.remove(member.id), member.sessionTimeoutMs)
  }
}
