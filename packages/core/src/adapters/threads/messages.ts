/** What the pool and its threads tell each other. */
import type { Explained } from "../../domain/measuring/explain.ts"
import type { Measured, Mention } from "../../domain/measuring/Measurement.ts"
import type { StoredAnswer } from "../../domain/sources/deriveSources.ts"
import type { AnswerSources } from "../../domain/sources/Source.ts"
import type { AnalysedText, NamesToFind } from "../../ports/AnswerAnalysis.ts"

/** One piece of work. A thread keeps the names it was given under their number. */
export type Job =
  | {
    readonly kind: "measure" | "explain"
    readonly entities: number
    /** Left out when the thread has them. */
    readonly names?: NamesToFind
    readonly answer: AnalysedText
  }
  | {
    readonly kind: "measureAll"
    readonly entities: number
    readonly names?: NamesToFind
    readonly answers: ReadonlyArray<AnalysedText>
  }
  | { readonly kind: "sources"; readonly answer: StoredAnswer }

/** A measurement with its mentions as numbers, three each: hostile answers have a million. */
export interface PackedMeasured extends Omit<Measured, "mentions"> {
  readonly mentions: Int32Array
}

/** What a thread says: that it is ready, and then one result for each job. */
export type ThreadReply =
  | { readonly kind: "ready" }
  | { readonly kind: "measured"; readonly measured: PackedMeasured }
  /** In the order of the answers; null for one that could not be measured. */
  | { readonly kind: "measuredAll"; readonly measured: ReadonlyArray<Measured | null> }
  /** For one person who waits for it: objects as they are. */
  | { readonly kind: "explained"; readonly explained: Explained }
  | { readonly kind: "sources"; readonly sources: AnswerSources }
  | { readonly kind: "failed"; readonly name: string }

/** Sets of names that a thread keeps compiled: pool and thread both forget all of them before one more. */
export const maxKnownEntities = 100

const BRAND = -1
const fields = 3

/** Packs what a thread found. */
export const packMeasured = ({ mentions, ...rest }: Measured): PackedMeasured => {
  const packed = new Int32Array(mentions.length * fields)
  mentions.forEach(({ end, entity, start }, i) =>
    packed.set([entity === "brand" ? BRAND : entity, start, end], i * fields)
  )
  return { ...rest, mentions: packed }
}

/** The measurement that was packed. */
export const unpackMeasured = ({ mentions, ...rest }: PackedMeasured): Measured => ({
  ...rest,
  mentions: Array.from({ length: mentions.length / fields }, (_, i): Mention => {
    const entity = mentions[i * fields]!
    return {
      entity: entity === BRAND ? "brand" : entity,
      start: mentions[i * fields + 1]!,
      end: mentions[i * fields + 2]!
    }
  })
})
