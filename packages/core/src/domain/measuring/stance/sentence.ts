/** Reads one sentence: the entity that each cue describes, negation, and the winner of a comparison. */
import type { FoldedText } from "../comparisonForm.ts"
import { SPACE } from "../offsetText.ts"
import type { StanceEvent } from "./events.ts"
import { cueBit, type CueKind, type Lexicon } from "./Lexicon.ts"
import { BRAND, NOBODY, type Owner } from "./structure.ts"

/** Praise and blame of the brand in one sentence, and the entity that the next sentence continues with. */
export interface SentenceStance {
  readonly praise: number
  readonly blame: number
  readonly carry: Owner
  /** The valence of a question about the brand, which a following "yes" confirms. */
  readonly asked: number
}

/** The context of a sentence, from the sentences and blocks before it. */
export interface SentenceContext {
  readonly text: FoldedText
  readonly lexicon: Lexicon
  /** The entities that a sentence without names describes. */
  readonly carry: Owner
  /** The carry comes from a heading, a list label or a table row, so another capitalised word does not replace it. */
  readonly structural: boolean
  readonly asked: number
}

const DECISIVE = 2
const CLAUSE_LIMIT = 3
const AFTER_BUT = 1.5
const VERDICT = 2

const is = (event: StanceEvent | undefined, kind: CueKind): boolean =>
  event !== undefined && (event.cues & cueBit[kind]) !== 0
const isName = (event: StanceEvent | undefined): boolean => event?.kind === "name"

const valenceOfCues = (event: StanceEvent): number => {
  if (is(event, "recommend") || is(event, "best")) return DECISIVE
  if (is(event, "discourage") || is(event, "worst")) return -DECISIVE
  return is(event, "praise") ? 1 : is(event, "blame") ? -1 : 0
}

const countSpaces = (text: FoldedText, from: number, to: number): number => {
  let spaces = 0
  for (let i = from; i < to; i++) if (text.units[i] === SPACE) spaces++
  return spaces
}

/** The longest distance of a marker ("than the") from its name, in units, and of a negation from its word, in words. */
const markerReach = 6
const negationReach = 4
const negationReachUnspaced = 4

/** The role of a name. A marker beside it may exclude it as the subject of the clause. */
type Role = "subject" | "standard" | "unlike" | "loser" | "winner" | "aside"

class Sentence {
  readonly clauseOf: Array<number> = []
  readonly segmentOf: Array<number> = []
  readonly roles: Array<Role> = []
  readonly values: Array<number> = []
  readonly afterBut: Array<boolean> = [false]
  /** Whether a colon opens the segment. */
  private readonly afterColon: Array<boolean> = [false]
  private readonly events: ReadonlyArray<StanceEvent>
  private readonly context: SentenceContext

  constructor(events: ReadonlyArray<StanceEvent>, context: SentenceContext) {
    this.events = events
    this.context = context
    this.divide()
    this.assignRoles()
    this.assignValues()
  }

  private divide(): void {
    let clause = 0
    let segment = 0
    for (const event of this.events) {
      if (event.kind === "clause") {
        clause++
        segment++
        this.afterBut[clause] = event.cues !== 0
      } else if (event.kind === "comma" || event.kind === "colon") segment++
      this.afterColon[segment] ??= event.kind === "colon"
      this.clauseOf.push(clause)
      this.segmentOf.push(segment)
    }
  }

  private near(a: number, b: number): boolean {
    const [first, second] = [this.events[a], this.events[b]]
    return first !== undefined && second !== undefined && this.segmentOf[a] === this.segmentOf[b] &&
      second.start - first.end <= markerReach
  }

  private assignRoles(): void {
    const { lexicon } = this.context
    let more = lexicon.more === ""
    let recommended = false
    let duel: Role | undefined
    let clause = 0
    this.events.forEach((event, index) => {
      if (this.clauseOf[index] !== clause) {
        clause = this.clauseOf[index]!
        more = lexicon.more === ""
        recommended = false
        duel = undefined
      }
      let role: Role = "subject"
      if (isName(event)) {
        const marker = lexicon.negatesAfter === true ? index + 1 : index - 1
        const cue = this.events[marker]
        const beside = this.near(Math.min(marker, index), Math.max(marker, index))
        if (duel !== undefined) role = duel
        else if (beside && is(cue, "than") && more) role = "standard"
        else if (beside && is(cue, "unlike")) role = "unlike"
        else if (beside && is(cue, "aside")) role = "aside"
        duel = undefined
      } else {
        if (is(event, "more")) more = true
        if (is(event, "recommend")) recommended = true
        if (is(event, "wins") || (is(event, "over") && recommended)) duel = "loser"
        if (is(event, "loses")) duel = "winner"
      }
      this.roles.push(role)
    })
  }

  /** Every cue's valence after negation, conditions and the past. */
  private assignValues(): void {
    const { lexicon, text } = this.context
    const negatedSegments = new Set<number>()
    this.events.forEach((event, index) => {
      if (is(event, "not")) negatedSegments.add(this.segmentOf[index]!)
    })
    let not: number | undefined
    let assumed: number | undefined
    let over: number | undefined
    /**
     * Words since the last negation, counted from event to event, so that many cues after one negation stay linear.
     */
    let words = 0
    let counted = 0
    const reach = lexicon.unspaced === true ? negationReachUnspaced : negationReach
    const isNear = (negation: StanceEvent, event: StanceEvent): boolean =>
      lexicon.unspaced === true ? event.start - negation.end <= reach : words <= reach
    this.events.forEach((event, index) => {
      const segment = this.segmentOf[index]!
      const clause = this.clauseOf[index]!
      if (not !== undefined) {
        words += countSpaces(text, counted, event.start)
        counted = event.start
      }
      if (is(event, "not")) {
        not = index
        words = 0
        counted = event.end
      }
      if (is(event, "if")) assumed = segment
      if (is(event, "past")) over = clause
      let value = valenceOfCues(event)
      if (value !== 0) {
        const advice = is(event, "recommend") || is(event, "discourage")
        const next = this.events[index + 1]
        const negated = lexicon.negatesAfter === true
          ? is(next, "not") && next!.start - event.end <= reach
          : advice
          ? negatedSegments.has(segment) && !is(event, "not")
          : not !== undefined && not !== index && this.segmentOf[not] === segment &&
            isNear(this.events[not]!, event)
        if (assumed === segment || over === clause) value = 0
        else if (negated) value = value > 0 ? (advice ? -value : -1) : 1
      }
      this.values.push(value)
    })
  }

  /** The entity that each cue describes: the name before it in its segment, else the name after it, else the carry. */
  targets(): ReadonlyArray<Owner> {
    const { events, roles, segmentOf } = this
    const nextName = events.map(() => -1)
    let next = -1
    for (let i = events.length - 1; i >= 0; i--) {
      nextName[i] = next
      if (isName(events[i]) && roles[i] === "subject") next = i
    }
    let last = -1
    let foreign = -1
    return events.map((event, index) => {
      if (isName(event) && (roles[index] === "subject" || roles[index] === "winner")) last = index
      if (event.kind === "foreign") foreign = segmentOf[index]!
      if (event.kind !== "cue") return NOBODY
      const after = nextName[index]!
      const inSegment = (name: number): boolean => name >= 0 && segmentOf[name] === segmentOf[index]
      const advice = is(event, "recommend") || is(event, "discourage")
      if (advice && inSegment(after)) return events[after]!.owner
      if (inSegment(last)) return events[last]!.owner
      // The name of the winner or loser precedes.
      if (is(event, "wins") || is(event, "loses")) return last >= 0 ? events[last]!.owner : this.context.carry
      if (inSegment(after)) return events[after]!.owner
      const opensLabel = after >= 0 && this.labels(index, after)
      if (opensLabel) return events[after]!.owner
      if (foreign === segmentOf[index] && !this.context.structural) return NOBODY
      if (last >= 0) return events[last]!.owner
      if (after >= 0 && this.clauseOf[after] === this.clauseOf[index]) return events[after]!.owner
      return this.context.carry
    })
  }

  /** Whether only a colon separates the cue from the name: "Best: A", "Top pick → A". */
  private labels(cue: number, name: number): boolean {
    const segment = this.segmentOf[name]!
    return segment === this.segmentOf[cue]! + 1 && this.afterColon[segment]!
  }
}

/** The entity that the next sentence continues with: that of this sentence if it is unambiguous. */
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

/** Sums praise and blame of the brand clause by clause: cues about it, and comparisons that it wins or loses. */
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
      said[clause]! += value
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
    if (roles[index] === "unlike") add(clauseOf[index]!, event.owner, -Math.sign(said[clauseOf[index]!]!))
  })
  return sums
}

/** Reads one sentence. */
export const readSentence = (
  events: ReadonlyArray<StanceEvent>,
  question: boolean,
  context: SentenceContext
): SentenceStance => {
  const sentence = new Sentence(events, context)
  const carry = findCarriedOwner(events, sentence.roles, context)
  const silent = { praise: 0, blame: 0, carry, asked: 0 }
  if (events.some((event) => is(event, "undecided"))) return silent
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
