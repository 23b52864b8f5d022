/**
 * Chooses whose turn it is: the least recently served one, on two levels: groups (organizations), and the members of a
 * group (scans, endpoints).
 */
export interface FairScheduler<A> {
  /** Chooses one of the candidates (at least one) and records that it has been served now. */
  readonly next: (candidates: ReadonlyArray<A>) => A
  /** Forgets all members except these. Members that were never served, or were forgotten, come first. */
  readonly retain: (known: ReadonlyArray<A>) => void
}

/** Creates a scheduler that chooses the least recently served group and, in it, the least recently served member. */
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
