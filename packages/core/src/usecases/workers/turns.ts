/** Who is next among those that wait. */
export interface Turns<A> {
  /** The next one of these (at least one), which is served now. */
  readonly next: (waiting: ReadonlyArray<A>) => A
  /** Forgets everybody else. */
  readonly keep: (all: ReadonlyArray<A>) => void
}

/** Who is next: the group that waits the longest since it was served, and in it the member that does. */
export const makeTurns = <A>(groupOf: (one: A) => string, memberOf: (one: A) => string): Turns<A> => {
  let turn = 0
  let groups = new Map<string, number>()
  let members = new Map<string, number>()
  const waited = (served: ReadonlyMap<string, number>, key: string) => served.get(key) ?? 0
  const known = (served: ReadonlyMap<string, number>, keys: Iterable<string>) =>
    new Map([...new Set(keys)].flatMap((key) => served.has(key) ? [[key, served.get(key)!]] : []))
  return {
    next: (waiting) => {
      const chosen = waiting.reduce((best, one) => {
        const ahead = waited(groups, groupOf(one)) - waited(groups, groupOf(best)) ||
          waited(members, memberOf(one)) - waited(members, memberOf(best))
        return ahead < 0 ? one : best
      })
      turn++
      groups.set(groupOf(chosen), turn)
      members.set(memberOf(chosen), turn)
      return chosen
    },
    keep: (all) => {
      groups = known(groups, all.map(groupOf))
      members = known(members, all.map(memberOf))
    }
  }
}
