/**
 * Reads one sentence: finds the entity that each cue describes, applies negation, and decides the winner of a
 * comparison.
 */
import type { StanceEvent } from "./events.ts"
import { DECISIVE, is, isName, type Role, Sentence, type SentenceContext } from "./roles.ts"
import { BRAND, NOBODY, type Owner } from "./structure.ts"

/**
 * Praise and blame of the brand in one sentence, and the entity that the next sentence describes if it contains no
 * name.
 */
export interface SentenceStance {
  readonly praise: number
  readonly blame: number
  readonly carry: Owner
  /** The valence of a question about the brand. A "yes" after it confirms this valence. */
  readonly asked: number
}

const CLAUSE_LIMIT = 3
const AFTER_BUT = 1.5
const VERDICT = 2

/**
 * The entity that the next sentence describes if it contains no name: the entity of this sentence, if it is
 * unambiguous.
 */
const findCarriedOwner = (
  events: ReadonlyArray<StanceEvent>,
  roles: ReadonlyArray<Role>,
  context: SentenceContext
): Owner => {
  const subjects = events.filter((event, index) => isName(event) && roles[index] === "subject")
  if (subjects.length === 0) {
    const foreign = !context.structural && events.some((event) => event.kind === "foreign")
    return foreign || events.some(isName) ? NOBODY : context.carry
  }
  const owners = new Set(subjects.map((event) => event.owner))
  return owners.size === 1 ? subjects[0]!.owner : NOBODY
}

/** Adds up praise and blame of the brand by clause: the cues about it, and the comparisons that it wins or loses. */
const sumValuesByClause = (
  events: ReadonlyArray<StanceEvent>,
  sentence: Sentence,
  standardFirst: boolean
): ReadonlyArray<number> => {
  const { clauseOf, roles, values } = sentence
  const targets = sentence.targets()
  const sums = sentence.afterBut.map(() => 0)
  const said = sums.map(() => 0)
  const add = (clause: number, owner: Owner, value: number): void => {
    if ((owner & BRAND) !== 0) sums[clause]! += value
  }
  let clause = -1
  let nearest = 0
  let awaiting: Owner = NOBODY
  events.forEach((event, index) => {
    if (clauseOf[index] !== clause) {
      nearest = 0
      awaiting = NOBODY
    }
    clause = clauseOf[index]!
    const value = values[index]!
    const role = roles[index]!
    if (value !== 0) {
      nearest = value
      if (!sentence.contrasted.has(index)) said[clause]! += value
      add(clause, targets[index]!, value)
      add(clause, awaiting, -DECISIVE * Math.sign(value))
      awaiting = NOBODY
    }
    if (role === "standard" && standardFirst) awaiting |= event.owner
    else if (role === "standard") add(clause, event.owner, -DECISIVE * Math.sign(nearest))
    else if (role === "loser") add(clause, event.owner, -DECISIVE)
    else if (role === "winner") add(clause, event.owner, DECISIVE)
    if (is(event, "wins")) add(clause, targets[index]!, DECISIVE)
    else if (is(event, "loses")) add(clause, targets[index]!, -DECISIVE)
  })
  events.forEach((event, index) => {
    const clause = clauseOf[index]!
    if (roles[index] === "unlike") add(clause, event.owner, -Math.sign(said[clause]!))
    if (roles[index] === "denied") add(clause, event.owner, -Math.sign(said[clause]! || (said[clause - 1] ?? 0)))
  })
  return sums
}

/** Finds praise and blame of the brand in one sentence. */
export const readSentence = (
  events: ReadonlyArray<StanceEvent>,
  question: boolean,
  context: SentenceContext
): SentenceStance => {
  const sentence = new Sentence(events, context)
  const carry = findCarriedOwner(events, sentence.roles, context)
  const silent = { praise: 0, blame: 0, carry, asked: 0 }
  const between = (index: number): boolean => isName(events[index - 1]) && isName(events[index + 1])
  if (events.some((event, index) => is(event, "undecided") || (is(event, "either") && between(index)))) return silent
  const sums = sumValuesByClause(events, sentence, context.lexicon.unspaced === true)
  if (question) return { ...silent, asked: Math.sign(sums.reduce((total, value) => total + value, 0)) }
  const weight = events.some((event) => is(event, "verdict")) ? VERDICT : 1
  let praise = 0
  let blame = 0
  sums.forEach((sum, clause) => {
    const value = Math.max(-CLAUSE_LIMIT, Math.min(CLAUSE_LIMIT, sum)) * weight *
      (sentence.afterBut[clause] ? AFTER_BUT : 1)
    if (value > 0) praise += value
    else blame -= value
  })
  const reply = events.find((event) => event.kind === "cue")
  const answered = is(reply, "yes") ? context.asked : is(reply, "no") ? -context.asked : 0
  if (answered > 0) praise += DECISIVE
  if (answered < 0) blame += DECISIVE
  return { praise, blame, carry, asked: 0 }
}
