/**
 * Least recently served first, in two levels: groups (organizations), and the members of a group (scans, endpoints).
 */
export interface FairScheduler<A> {
  /** Chooses one of the candidates (at least one) and counts it as served now. */
  readonly next: (candidates: ReadonlyArray<A>) => A
  /** Forgets when anything but these was served. What was never served, or was forgotten, comes first. */
  readonly retain: (known: ReadonlyArray<A>) => void
}

/** Makes a scheduler: the group that was served least recently is next, and of its members the one that was. */
export const makeFairScheduler = <A>(
  groupOf: (item: A) => string,
  memberOf: (item: A) => string
): FairScheduler<A> => {
  let turn = 0
  let groups = new Map<string, number>()
  let members = new Map<string, number>()
  const findLastTurn = (served: ReadonlyMap<string, number>, key: string) => served.get(key) ?? 0
  const retainKeys = (served: ReadonlyMap<string, number>, keys: Iterable<string>) =>
    new Map([...new Set(keys)].flatMap((key) => served.has(key) ? [[key, served.get(key)!]] : []))
  return {
    next: (candidates) => {
      const chosen = candidates.reduce((best, item) => {
        const order = findLastTurn(groups, groupOf(item)) - findLastTurn(groups, groupOf(best)) ||
          findLastTurn(members, memberOf(item)) - findLastTurn(members, memberOf(best))
        return order < 0 ? item : best
      })
      turn++
      groups.set(groupOf(chosen), turn)
      members.set(memberOf(chosen), turn)
      return chosen
    },
    retain: (known) => {
      groups = retainKeys(groups, known.map(groupOf))
      members = retainKeys(members, known.map(memberOf))
    }
  }
}
