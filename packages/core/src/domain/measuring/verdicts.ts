/** The reasons why an occurrence of a term counts or does not, each with its measuring rule (docs/measuring.md). */

/** For every verdict: whether the occurrence counts, the rule, and the reason that users see. */
export const verdicts = {
  name: { accepted: true, rule: "M2", reason: "the name stands on its own" },
  form: { accepted: true, rule: "M7", reason: "the name in another spelling, which can be nothing else" },
  ending: { accepted: true, rule: "M9", reason: "the name with an ending that its language adds" },
  host: { accepted: true, rule: "M2", reason: "a registered domain written as a bare host" },
  hidden: { accepted: false, rule: "M1", reason: "a reader of the rendered answer does not see it" },
  noHost: { accepted: false, rule: "M2", reason: "not written as the registered host" },
  foreignHost: { accepted: false, rule: "M2", reason: "part of another host" },
  citation: { accepted: false, rule: "M3", reason: "part of an address or a citation" },
  code: { accepted: false, rule: "M4", reason: "inside of a block of program code" },
  insideWord: { accepted: false, rule: "M8", reason: "part of a longer word" },
  spelling: { accepted: false, rule: "M10", reason: "not written in the capitals of the name" },
  overlap: { accepted: false, rule: "M11", reason: "a term further left, or a longer one, takes the text" },
  excluded: { accepted: false, rule: "M11", reason: "an excluded term: it takes its text and counts for nobody" },
  echo: { accepted: false, rule: "M12", reason: "the prompt repeated, not the answer" },
  place: { accepted: false, rule: "M7", reason: "may be another word: nothing before it shows the name" },
  word: { accepted: false, rule: "M17", reason: "its neighbours show that the ordinary word is meant" },
  context: { accepted: false, rule: "M18", reason: "neither the answer nor its question has a context word of it" },
  verb: { accepted: false, rule: "M17", reason: "the common verb that opens a command" }
} as const satisfies Readonly<Record<string, Reason>>

/** The meaning of a verdict. */
export interface Reason {
  readonly accepted: boolean
  /** The measuring rule, `M1` … `M18`. */
  readonly rule: string
  readonly reason: string
}

/** The name of a verdict in explanations and their JSON. */
export type Verdict = keyof typeof verdicts
