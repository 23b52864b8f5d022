/** Second reading of the answers: where each name is mentioned, by the measuring core, and how it stands there. */
import { type Candidate, type CompiledTerms, compileTerms, measureWithTerms } from "../../measuring/measureAnswer.ts"
import type { EntityTerms, Measured } from "../../measuring/Measurement.ts"

/** How a name stands in all answers. */
export interface Standing {
  mentions: number
  /** Occurrences written wholly in lower case; they may be no mentions. */
  lower: number
  /** Mentions behind a word in lower case: in the middle of a sentence a capital is a name's. */
  within: number
  /** Mentions right behind another capitalised word. */
  behind: number
  /** Mentions behind a word that names of makers and sellers stand behind ("from", "at"), or in the genitive. */
  agent: number
  /** Mentions that go on with a capital or a digit. */
  before: number
}

const sentence = /[\p{Ll}\d,][“"'(]? $/u
const capitalised = /(?:^|[^\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’&.+-]*[ -]$/u
const goesOn = /^(?:['’]s)?[ -][\p{Lu}\d]/u
const agent =
  /(?:^|[^\p{L}])(?:from|by|at|like|via|than|bei|von|chez|par|avec|presso|da|bij|przez|od|firmy|marki|hos|från)\s["“„]?$/iu
const genitive = /^['’]s?\s/u
const near = 32

const noTerms = (name: string): EntityTerms => ({ name, aliases: [], domains: [] })

const nothingYet = (): Standing => ({ mentions: 0, lower: 0, within: 0, behind: 0, agent: 0, before: 0 })

/** What is tracked, as the matcher takes it. */
export interface TrackedNames {
  readonly brand: EntityTerms & { readonly excludes: ReadonlyArray<string> }
  readonly competitors: ReadonlyArray<EntityTerms>
}

/** What one answer names. */
export interface NamedInAnswer {
  /** How many tracked entities it mentions. */
  readonly tracked: number
  /**
   * The names by their index, with where each is mentioned first; a name that longer ones begin with is mentioned where
   * they are.
   */
  readonly names: ReadonlyMap<number, { readonly start: number; readonly end: number }>
}

/** Tallies names over answers, beside the tracked ones, which take their text first. */
export class NameTally {
  readonly standings: ReadonlyArray<Standing>
  private readonly compiled: CompiledTerms
  private readonly tracked: number
  /** Of each name the others that it begins with, and itself. */
  private readonly beginnings: ReadonlyArray<ReadonlyArray<number>>

  constructor({ brand, competitors }: TrackedNames, names: ReadonlyArray<string>) {
    this.tracked = competitors.length
    this.compiled = compileTerms(brand, [...competitors, ...names.map(noTerms)], brand.excludes)
    this.standings = names.map(nothingYet)
    const indexes = new Map(names.map((name, index) => [name.toLowerCase(), index]))
    this.beginnings = names.map((name) => {
      const words = name.toLowerCase().split(" ")
      return words.flatMap((_, i) => indexes.get(words.slice(0, i + 1).join(" ")) ?? [])
    })
  }

  /** Reads one answer: what it names, and how the names stand there. */
  add(text: string, prompt: string): NamedInAnswer {
    return this.sum(measureWithTerms(this.compiled, text, prompt, (candidate) => {
      const { entity } = candidate
      if (entity === "exclude" || entity === "brand" || entity < this.tracked) return
      this.note(this.standings[entity - this.tracked]!, text, candidate)
    }))
  }

  /** Reads one answer only for what it names. */
  find(text: string, prompt: string): NamedInAnswer {
    return this.sum(measureWithTerms(this.compiled, text, prompt))
  }

  private sum({ mentions }: Measured): NamedInAnswer {
    const tracked = new Set<"brand" | number>()
    const names = new Map<number, { readonly start: number; readonly end: number }>()
    // In the order of the text: the first mention of each comes first
    for (const { end, entity, start } of mentions) {
      if (entity === "brand" || entity < this.tracked) {
        tracked.add(entity)
        continue
      }
      for (const one of this.beginnings[entity - this.tracked]!) {
        if (!names.has(one)) names.set(one, { start, end })
      }
    }
    return { tracked: tracked.size, names }
  }

  private note(standing: Standing, text: string, { accepted, end, start, verdict }: Candidate): void {
    const written = text.slice(start, end)
    const rest = text.slice(end, end + near)
    const isLower = verdict === "spelling" || (written === written.toLowerCase() && /\p{Ll}/u.test(written))
    const continues = goesOn.test(rest)
    if (isLower && !continues && (accepted || verdict === "spelling")) standing.lower++
    if (!accepted) return
    const lead = text.slice(Math.max(0, start - near), start)
    standing.mentions++
    if (sentence.test(lead)) standing.within++
    if (capitalised.test(lead)) standing.behind++
    if (agent.test(lead) || genitive.test(rest)) standing.agent++
    if (continues) standing.before++
  }
}
