/** Members ordered by score, then by bytes. */
export type Scored = { member: string; score: number }

export class SortedSet {
  private scores = new Map<string, number>()
  private order: Scored[] = []

  get size() {
    return this.scores.size
  }

  score(member: string): number | undefined {
    return this.scores.get(member)
  }

  /** All members, lowest first; not to be changed by the caller. */
  ascending(): readonly Scored[] {
    return this.order
  }

  rank(member: string): number | undefined {
    const score = this.scores.get(member)
    return score === undefined ? undefined : this.placeOf(score, member)
  }

  /** Sets the score; true when the member is new. */
  set(member: string, score: number): boolean {
    const known = this.delete(member)
    this.scores.set(member, score)
    this.order.splice(this.placeOf(score, member), 0, { member, score })
    return !known
  }

  delete(member: string): boolean {
    const score = this.scores.get(member)
    if (score === undefined) return false
    this.order.splice(this.placeOf(score, member), 1)
    return this.scores.delete(member)
  }

  private placeOf(score: number, member: string): number {
    let low = 0
    let high = this.order.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = this.order[middle] as Scored
      if (at.score < score || (at.score === score && at.member < member)) low = middle + 1
      else high = middle
    }
    return low
  }
}
