/** The messages between the pool and its threads. */
import type { Explained } from "../../domain/measuring/explain.ts"
import type { Measured, Mention } from "../../domain/measuring/Measurement.ts"
import type { StoredAnswer } from "../../domain/sources/deriveSources.ts"
import type { AnswerSources } from "../../domain/sources/Source.ts"
import type { AnalysedText, NamesToFind } from "../../ports/AnswerAnalysis.ts"

/** One job for a thread. A thread keeps the sets of names that it was sent, by number. */
export type Job =
  | {
    readonly kind: "measure" | "explain"
    readonly entities: number
    /** Absent if the thread already has these names. */
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

/**
 * A measurement whose mentions are packed as three numbers each, because a hostile answer may have a million mentions.
 */
export interface PackedMeasured extends Omit<Measured, "mentions"> {
  readonly mentions: Int32Array
}

/** A message from a thread: `ready` first, then one result per job. */
export type ThreadReply =
  | { readonly kind: "ready" }
  | { readonly kind: "measured"; readonly measured: PackedMeasured }
  /** The measurements in the order of the answers; null for an answer that could not be measured. */
  | { readonly kind: "measuredAll"; readonly measured: ReadonlyArray<Measured | null> }
  /** Not packed, because only one person waits for an explanation. */
  | { readonly kind: "explained"; readonly explained: Explained }
  | { readonly kind: "sources"; readonly sources: AnswerSources }
  | { readonly kind: "failed"; readonly name: string }

/**
 * Maximum number of name sets that a thread keeps compiled. Before the number exceeds this, pool and thread both forget
 * all sets.
 */
export const maxKnownEntities = 100

const BRAND = -1
const fields = 3

/** Packs a measurement before a thread sends it. */
export const packMeasured = ({ mentions, ...rest }: Measured): PackedMeasured => {
  const packed = new Int32Array(mentions.length * fields)
  mentions.forEach(({ end, entity, start }, i) =>
    packed.set([entity === "brand" ? BRAND : entity, start, end], i * fields)
  )
  return { ...rest, mentions: packed }
}

/** Restores a packed measurement. */
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
