/** The clauses and roles of one sentence: which entity each name, cue and negation is about. */
import { type FoldedText, WRITTEN_UPPER } from "../comparisonForm.ts"
import { SPACE } from "../offsetText.ts"
import type { StanceEvent } from "./events.ts"
import { cueBit, type CueKind, entriesOf, type Lexicon } from "./Lexicon.ts"
import { BRAND, NOBODY, type Owner } from "./structure.ts"

/** The context of a sentence, from the sentences and blocks before it. */
export interface SentenceContext {
  readonly text: FoldedText
  /** The answer as received. */
  readonly raw: string
  readonly lexicon: Lexicon
  /** The entities that a sentence without names describes. */
  readonly carry: Owner
  /**
   * Whether `carry` comes from a heading, a list label or a table row, and so is not replaced by another capitalised
   * word.
   */
  readonly structural: boolean
  readonly asked: number
}

/** Valence of a cue that decides by itself. */
export const DECISIVE = 2

export const is = (event: StanceEvent | undefined, kind: CueKind): boolean =>
  event !== undefined && (event.cues & cueBit[kind]) !== 0
export const isName = (event: StanceEvent | undefined): boolean => event?.kind === "name"

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

/**
 * Whether a word that joins statements is between two units. Reads the raw text, because folding makes the Italian "è"
 * equal to "e".
 */
const hasJoint = ({ lexicon, raw, text }: SentenceContext, from: number, to: number): boolean => {
  const between = raw.slice(text.to[from - 1], text.from[to]).toLowerCase()
  const joints = entriesOf(lexicon.and)
  return lexicon.unspaced === true
    ? joints.some((joint) => between.includes(joint))
    : between.split(/[^\p{L}\p{M}]+/u).some((word) => joints.includes(word))
}

/** The maximum distance of a marker ("than the") from its name, in units, and of a negation from its word, in words. */
const markerReach = 6
const negationReach = 4
const negationReachUnspaced = 5
const superlativeReach = 7
const subjectReach = 8
const equalReach = 20
const equalCues = 4

/** The role of a name. A marker beside the name can exclude it as the subject of the clause. */
export type Role = "subject" | "standard" | "unlike" | "denied" | "loser" | "winner" | "aside"

export class Sentence {
  readonly clauseOf: Array<number> = []
  readonly segmentOf: Array<number> = []
  readonly roles: Array<Role> = []
  readonly values: Array<number> = []
  readonly afterBut: Array<boolean> = [false]
  /** For each segment, whether a colon is before it. */
  private readonly afterColon: Array<boolean> = [false]
  private readonly events: ReadonlyArray<StanceEvent>
  private readonly context: SentenceContext
  /** The clauses that contain the standard of a comparison, by index. */
  private readonly comparing = new Set<number>()
  /**
   * Whether the sentence begins with a negation of its subject ("Few tools are as …", "No tester had …"). It then
   * reaches further than other negations, and praise or blame without a name is not about the entities of the sentence
   * before (`carry`).
   */
  private readonly deniesSubject: boolean
  /** The owners of cues that describe the other side of a contrast, by the index of the cue. */
  readonly contrasted = new Map<number, Owner>()

  constructor(events: ReadonlyArray<StanceEvent>, context: SentenceContext) {
    this.events = events
    this.context = context
    const opens = events[0]
    this.deniesSubject = is(opens, "not") && context.text.written[opens!.start] === WRITTEN_UPPER
    this.divide()
    this.assignRoles()
    this.assignValues()
    this.readContrasts()
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
      // "なら、" ends the condition before it
      if (is(event, "if") && this.context.text.units[event.end - 1] === 0x3001) segment++
    }
  }

  private near(a: number, b: number): boolean {
    const [first, second] = [this.events[a], this.events[b]]
    return first !== undefined && second !== undefined && this.segmentOf[a] === this.segmentOf[b] &&
      second.start - first.end <= markerReach
  }

  /** Whether a cue such as "can't be said of" is directly before or after the name at `index`. */
  private isDenied(index: number): boolean {
    const { events } = this
    return (is(events[index - 1], "denied") && this.near(index - 1, index)) ||
      (is(events[index + 1], "denied") && this.near(index, index + 1))
  }

  /** Whether "unlike" follows the name at `index`, as in Chinese and Japanese. */
  private isToldApart(index: number): boolean {
    return this.context.lexicon.unspaced === true && is(this.events[index + 1], "unlike") && this.near(index, index + 1)
  }

  /** Whether "as" is directly before the name at `index`, or in Chinese after it. */
  private isEqualled(index: number): boolean {
    const marker = this.context.lexicon.unspaced === true ? index + 1 : index - 1
    const [first, second] = [this.events[Math.min(marker, index)], this.events[Math.max(marker, index)]]
    return is(this.events[marker], "as") && second!.start - first!.end <= (marker > index ? 0 : markerReach)
  }

  private assignRoles(): void {
    const { lexicon } = this.context
    let more = lexicon.more === ""
    let recommended = false
    let duel: Role | undefined
    let clause = 0
    let negated = -1
    let unlike = false
    this.events.forEach((event, index) => {
      if (is(event, "not")) negated = this.segmentOf[index]!
      if (is(event, "unlike")) unlike = true
      else if (lexicon.unspaced === true || (valenceOfCues(event) === 0 && !isName(event))) unlike = false
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
        else if (beside && is(cue, "than") && more && (!is(cue, "as") || this.isEqualled(index))) role = "standard"
        else if (negated === this.segmentOf[index] && this.isEqualled(index)) role = "standard"
        else if ((beside && is(cue, "unlike")) || unlike || this.isToldApart(index)) role = "unlike"
        else if (this.isDenied(index)) role = "denied"
        else if (beside && is(cue, "aside")) role = "aside"
        duel = undefined
        unlike = false
      } else {
        if (is(event, "more")) more = true
        if (is(event, "recommend")) recommended = true
        if (is(event, "wins") || (is(event, "over") && recommended)) duel = "loser"
        if (is(event, "loses")) duel = "winner"
      }
      this.roles.push(role)
      if (role === "standard") this.comparing.add(clause)
    })
  }

  /** "AほどXもYもない": everything between the standard and the negation is negated. */
  private isLessThanStandard(index: number): boolean {
    const { clauseOf, events, roles } = this
    const near = (step: number, fits: (at: number) => boolean): boolean => {
      for (let at = index + step; clauseOf[at] === clauseOf[index] && Math.abs(at - index) <= equalCues; at += step) {
        if (Math.abs(events[at]!.start - events[index]!.start) > equalReach) return false
        if (fits(at)) return true
      }
      return false
    }
    return near(-1, (at) => is(events[at], "as") && roles[at - 1] === "standard") &&
      near(1, (at) => is(events[at], "not"))
  }

  /** Whether the cue at `index` is a superlative, or a comparative without a standard ("la opción más cara"). */
  private isSuperlative(index: number): boolean {
    const before = this.events[index - 1]
    return is(before, "most") ||
      (before?.kind === "cue" && before.cues === cueBit.more && !this.comparing.has(this.clauseOf[index]!))
  }

  /** Computes the valence of every cue, considering negation, conditions and the past. */
  private assignValues(): void {
    const { lexicon, text } = this.context
    const negatedSegments = new Set<number>()
    this.events.forEach((event, index) => {
      if (is(event, "not")) negatedSegments.add(this.segmentOf[index]!)
    })
    let not: number | undefined
    let assumed: number | undefined
    let over: number | undefined
    /** The sign of the last negated word, and the end of that word */
    let denied = 0
    let deniedEnd = 0
    /**
     * Words since the last negation, counted from event to event, so that many cues after one negation take linear time
     */
    let words = 0
    let counted = 0
    const reach = lexicon.unspaced === true ? negationReachUnspaced : negationReach
    const isNear = (negation: StanceEvent, event: StanceEvent, index: number): boolean =>
      lexicon.unspaced === true
        ? event.start - negation.end <= reach
        : words <= (this.deniesSubject ? subjectReach : this.isSuperlative(index) ? superlativeReach : reach)
    this.events.forEach((event, index) => {
      const segment = this.segmentOf[index]!
      const clause = this.clauseOf[index]!
      if (not !== undefined) {
        words += countSpaces(text, counted, event.start)
        counted = event.start
      }
      // "没有 A 那么快": the negation is before the name
      const again = lexicon.unspaced === true && is(event, "as") && this.roles[index - 1] === "standard"
      if (is(event, "not") || is(event, "without") || again) {
        not = index
        words = 0
        denied = 0
        counted = deniedEnd = event.end
      }
      if (is(event, "if")) assumed = segment
      if (is(event, "past")) over = clause
      if (is(event, "now")) over = undefined
      let value = valenceOfCues(event)
      if (value !== 0) {
        const advice = is(event, "recommend") || is(event, "discourage")
        const next = this.events[index + 1]
        let negated = lexicon.negatesAfter === true
          ? (is(next, "not") && next!.start - event.end <= reach) || this.isLessThanStandard(index)
          : advice
          ? negatedSegments.has(segment) && !is(event, "not")
          : not !== undefined && not !== index && this.segmentOf[not] === segment &&
            isNear(this.events[not]!, event, index)
        if (negated && !advice && not !== undefined && lexicon.negatesAfter !== true) {
          // "No fees and excellent support": a joined word is negated only if it has the same sign
          if (Math.sign(value) !== denied && hasJoint(this.context, deniedEnd, event.start)) {
            negated = false
            not = undefined
          }
          denied = Math.sign(value)
          deniedEnd = event.end
          words = 0
        }
        if (assumed === segment || over === clause) value = 0
        else if (negated && !advice && this.isSuperlative(index)) value = 0
        else if (negated) value = value > 0 ? (advice ? -value : -1) : 1
      }
      this.values.push(value)
    })
  }

  /**
   * Reads contrasts such as "Unlike A, which is slow, B …" and "unlike the slow A, B …", in which a statement about A
   * is not true of B. If A is the brand, the cue counts for the brand as it is; otherwise its opposite counts for B.
   */
  private readContrasts(): void {
    const { events, roles, segmentOf, values } = this
    let pending: Array<number> = []
    let other: Owner | undefined
    let segment = -1
    events.forEach((event, index) => {
      if (isName(event) && roles[index] === "unlike") {
        pending = other === undefined ? pending.filter((cue) => segmentOf[cue] === segmentOf[index]) : []
        other = event.owner
        segment = segmentOf[index]!
      } else if (isName(event)) {
        if (other !== undefined) {
          for (const cue of pending) {
            if (segmentOf[cue] === segmentOf[index] && segmentOf[cue] !== segment) continue
            const isBrand = (other & BRAND) !== 0
            this.contrasted.set(cue, isBrand ? other : event.owner)
            if (!isBrand) values[cue] = -Math.sign(values[cue]!)
          }
        }
        pending = []
        other = undefined
      } else if (values[index] !== 0 && (other === undefined || segmentOf[index]! <= segment + 1)) pending.push(index)
    })
  }

  /**
   * The entity that each cue describes: the name before it in its segment, or else the name after it, or else `carry`.
   */
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
      const contrasted = this.contrasted.get(index)
      if (contrasted !== undefined) return contrasted
      const after = nextName[index]!
      const inSegment = (name: number): boolean => name >= 0 && segmentOf[name] === segmentOf[index]
      const advice = is(event, "recommend") || is(event, "discourage")
      if (advice && inSegment(after)) return events[after]!.owner
      if (inSegment(last)) return events[last]!.owner
      // The name of the winner or loser is before the cue
      if (is(event, "wins") || is(event, "loses")) return last >= 0 ? events[last]!.owner : this.context.carry
      if (inSegment(after)) return events[after]!.owner
      const opensLabel = after >= 0 && this.labels(index, after)
      if (opensLabel) return events[after]!.owner
      if (foreign === segmentOf[index] && !this.context.structural) return NOBODY
      if (last >= 0) return events[last]!.owner
      if (after >= 0 && this.clauseOf[after] === this.clauseOf[index]) return events[after]!.owner
      // "Few tools are …" describes other tools
      if (this.deniesSubject) return NOBODY
      return this.context.carry
    })
  }

  /** Whether only a colon separates the cue from the name: "Best: A", "Top pick → A". */
  private labels(cue: number, name: number): boolean {
    const segment = this.segmentOf[name]!
    return segment === this.segmentOf[cue]! + 1 && this.afterColon[segment]!
  }
}
