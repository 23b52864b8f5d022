/** The cues (words and phrases) of a language that the stance rules read, and their compiled form. */
import { toComparisonForm } from "../comparisonForm.ts"
import { buildAutomaton, type TermAutomaton } from "../termAutomaton.ts"

/**
 * The cues of one language. Every field is a comma-separated list of words and phrases; a final `*` allows any ending.
 * The longest match wins, so a phrase overrides a word in it. Fields may be empty.
 */
export interface Lexicon {
  /** Frequent function words that distinguish the language from related ones. */
  readonly common: string
  /** Cues with a valence: `praise` +1, `best` +2, `blame` -1, `worst` -2. */
  readonly praise: string
  readonly best: string
  readonly blame: string
  readonly worst: string
  /**
   * Advice for (`recommend`) or against (`discourage`) the name after the cue, or the name before it if none follows.
   */
  readonly recommend: string
  readonly discourage: string
  /** The name before the cue wins or loses against the name after it. */
  readonly wins: string
  readonly loses: string
  /** "over": like `wins`, but only after a recommendation ("choose A over B"). */
  readonly over: string
  /** "than": marks the name beside it as the standard that the winner of the comparison beats. */
  readonly than: string
  /** "as": after a negation, the name beside it beats the others ("not as fast as A", "few are as fast as A"). */
  readonly as: string
  /** "more": if not empty, `than` counts only after one of these cues, which can include comparatives. */
  readonly more: string
  /** "unlike", "compared to": compares the other name with the name beside the cue. */
  readonly unlike: string
  /** "can't be said of": the opposite of what the sentence said before is true of the name beside the cue. */
  readonly denied: string
  /** "or" in a question: if it is between two names, the sentence takes no side. */
  readonly either: string
  /** "alternative to", "owned by": the clause is not about the name beside it. */
  readonly aside: string
  readonly not: string
  /** Negations that never concern advice: "choose A without thinking twice". */
  readonly without: string
  /**
   * Words that join statements and end the reach of a negation ("no fees and excellent support"). They are not cues.
   */
  readonly and: string
  /** A superlative. If it is negated, it takes no side ("not the most expensive"). */
  readonly most: string
  /** A contrast: the part after it weighs more than the part before it. */
  readonly but: string
  /** A condition: the text up to the next comma is not asserted. */
  readonly if: string
  /** The past: the rest of the clause is no longer true today. */
  readonly past: string
  /** The present: ends the reach of `past`. */
  readonly now: string
  /** The sentence takes no side: refusals, "it depends", "mixed". */
  readonly undecided: string
  /** The sentence sums up and weighs double. */
  readonly verdict: string
  readonly yes: string
  readonly no: string
  /** Labels of lists of pros and cons. */
  readonly pros: string
  readonly cons: string
  /** Words without meaning here, which hide the cues in them ("not only"). */
  readonly idle: string
  /**
   * Whether the language has no spaces between words. Cues then match anywhere, and a comparison names its standard
   * first.
   */
  readonly unspaced?: true
  /** Whether the negation follows the negated word (Japanese). */
  readonly negatesAfter?: true
  /** Whether all nouns have capitals, so that a capital does not mark a name (German). */
  readonly capitalNouns?: true
}

const kinds = [
  "praise",
  "best",
  "blame",
  "worst",
  "recommend",
  "discourage",
  "wins",
  "loses",
  "over",
  "than",
  "as",
  "more",
  "unlike",
  "denied",
  "either",
  "aside",
  "not",
  "without",
  "most",
  "but",
  "if",
  "past",
  "now",
  "undecided",
  "verdict",
  "yes",
  "no",
  "pros",
  "cons",
  "idle"
] as const
/** The kinds of cues: one for each field of a lexicon that has a meaning. */
export type CueKind = typeof kinds[number]

const bits = Object.fromEntries(kinds.map((kind, index) => [kind, 1 << index])) as Record<CueKind, number>
/** The bit of each kind of cue in {@link CompiledLexicon.kinds}. A form can have several kinds. */
export const cueBit: Readonly<Record<CueKind, number>> = bits

/** A lexicon ready for matching. Immutable. */
export interface CompiledLexicon {
  readonly source: Lexicon
  readonly automaton: TermAutomaton
  /** The kinds of each form, as a set of bits. */
  readonly kinds: ReadonlyArray<number>
  /** Whether each form can have any ending. */
  readonly open: ReadonlyArray<boolean>
}

/** Splits a field into its entries. */
export const entriesOf = (field: string): ReadonlyArray<string> =>
  field.split(",").map((entry) => entry.trim()).filter((entry) => entry !== "")

/** Compiles a lexicon to comparison forms, which match folded text. */
export const compileLexicon = (source: Lexicon): CompiledLexicon => {
  const found = new Map<string, { kinds: number; open: boolean }>()
  for (const kind of kinds) {
    for (const entry of entriesOf(source[kind])) {
      const open = entry.endsWith("*")
      const form = toComparisonForm(open ? entry.slice(0, -1) : entry)
      const known = found.get(form)
      found.set(form, { kinds: (known?.kinds ?? 0) | cueBit[kind], open: open || known?.open === true })
    }
  }
  return {
    source,
    automaton: buildAutomaton([...found.keys()]),
    kinds: Array.from(found.values(), (entry) => entry.kinds),
    open: Array.from(found.values(), (entry) => entry.open)
  }
}
