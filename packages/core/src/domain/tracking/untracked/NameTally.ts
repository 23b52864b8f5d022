/** Where names are mentioned, by the measuring core, beside the tracked ones. */
import { type CompiledTerms, compileTerms, measureWithTerms } from "../../measuring/measureAnswer.ts"
import type { EntityTerms } from "../../measuring/Measurement.ts"

/** What is tracked, as the matcher takes it. */
export interface TrackedNames {
  readonly brand: EntityTerms & { readonly excludes: ReadonlyArray<string> }
  readonly competitors: ReadonlyArray<EntityTerms>
}

/** What one answer names. */
export interface NamedInAnswer {
  /** How many tracked entities it mentions. */
  readonly tracked: number
  /** The names by their index, with where each is mentioned first. */
  readonly names: ReadonlyMap<number, { readonly start: number; readonly end: number }>
}

/** Finds names in answers, beside the tracked ones, which take their text first. */
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
    // In the order of the text: the first mention of each comes first
    for (const { end, entity, start } of measureWithTerms(this.compiled, text, prompt).mentions) {
      if (entity === "brand" || entity < this.tracked) tracked.add(entity)
      else if (!names.has(entity - this.tracked)) names.set(entity - this.tracked, { start, end })
    }
    return { tracked: tracked.size, names }
  }
}
