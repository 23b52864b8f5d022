/** Finds where answers mention untracked names, by the rules of measuring, together with the tracked names. */
import { type CompiledTerms, compileTerms, measureWithTerms } from "../../measuring/measureAnswer.ts"
import type { EntityTerms } from "../../measuring/Measurement.ts"

/** The tracked names in the form that the matcher expects. */
export interface TrackedNames {
  readonly brand: EntityTerms & { readonly excludes: ReadonlyArray<string> }
  readonly competitors: ReadonlyArray<EntityTerms>
}

/** The names that one answer mentions. */
export interface NamedInAnswer {
  /** Number of tracked entities that the answer mentions. */
  readonly tracked: number
  /** The untracked names by index, with the position of the first mention of each. */
  readonly names: ReadonlyMap<number, { readonly start: number; readonly end: number }>
}

/** Finds names in answers. Tracked names match their text first. */
export class NameTally {
  private readonly compiled: CompiledTerms
  private readonly tracked: number

  constructor({ brand, competitors }: TrackedNames, names: ReadonlyArray<string>) {
    this.tracked = competitors.length
    const untracked = names.map((name): EntityTerms => ({ name, aliases: [], domains: [] }))
    this.compiled = compileTerms(brand, [...competitors, ...untracked], brand.excludes)
  }

  /** Reads one answer. */
  find(text: string, prompt: string): NamedInAnswer {
    const tracked = new Set<"brand" | number>()
    const names = new Map<number, { readonly start: number; readonly end: number }>()
    // Mentions are in the order of the text, so the first mention of each name comes first
    for (const { end, entity, start } of measureWithTerms(this.compiled, text, prompt).mentions) {
      if (entity === "brand" || entity < this.tracked) tracked.add(entity)
      else if (!names.has(entity - this.tracked)) names.set(entity - this.tracked, { start, end })
    }
    return { tracked: tracked.size, names }
  }
}
