/** Who is next: the group that waits the longest since it was served, and in it the member that does. */
export const makeTurns = <A>(groupOf: (one: A) => string, memberOf: (one: A) => string) => {
  let turn = 0
  let groups = new Map<string, number>()
  let members = new Map<string, number>()
  const waited = (served: ReadonlyMap<string, number>, key: string) => served.get(key) ?? 0
  const known = (served: ReadonlyMap<string, number>, keys: Iterable<string>) =>
    new Map([...new Set(keys)].flatMap((key) => served.has(key) ? [[key, served.get(key)!]] : []))
  return {
    /** The next one of these (at least one), which is served now. */
    next: (waiting: ReadonlyArray<A>): A => {
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
    /** Forgets everybody else. */
    keep: (all: ReadonlyArray<A>): void => {
      groups = known(groups, all.map(groupOf))
      members = known(members, all.map(memberOf))
    }
  }
}
