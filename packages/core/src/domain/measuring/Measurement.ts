import { Schema } from "effect"

/** Stance of an answer toward the brand (M16 in docs/measuring.md). */
export const Sentiment = Schema.Literals(["positive", "neutral", "negative"])
export type Sentiment = typeof Sentiment.Type

/** The brand or one competitor, with the names to look for. */
export interface EntityTerms {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly domains: ReadonlyArray<string>
  /**
   * Context words (M18): the names count only if the answer or its question contains one of them. Without context
   * words, and for domains, there is no such condition.
   */
  readonly context?: ReadonlyArray<string>
}

/** Picks the terms of an entity; leaves out `context` if it is empty. */
export const toEntityTerms = ({ aliases, context = [], domains, name }: EntityTerms): EntityTerms => ({
  name,
  aliases,
  domains,
  ...(context.length === 0 ? {} : { context })
})

/** One text to measure and the entities to look for in it. */
export interface MeasureInput {
  /** The raw answer: any UTF-16 string, even malformed. */
  readonly text: string
  readonly brand: EntityTerms
  readonly competitors: ReadonlyArray<EntityTerms>
  /** Terms that block the text they match but count for no entity ("Delta Dental" for the brand "Delta"). */
  readonly excludes?: ReadonlyArray<string>
  /** The prompt that was asked; where the answer repeats it, names do not count (M12). */
  readonly prompt?: string
}

/** One counted occurrence: `[start, end)` are UTF-16 offsets into the raw text. */
export interface Mention {
  /** `brand`, or an index into `competitors` (from 0). */
  readonly entity: "brand" | number
  readonly start: number
  readonly end: number
}

/** The result of `measureAnswer`; `count`, `position` and `sentiment` are those of the brand. */
export interface Measured {
  readonly mentioned: boolean
  /** Mentions of the brand (M14). */
  readonly count: number
  /** Rank of the brand among the tracked entities by first mention (M15), from 1; null if it is not mentioned. */
  readonly position: number | null
  /** Null when the brand is not mentioned. */
  readonly sentiment: Sentiment | null
  /** Mentions of all tracked entities, in order of `start`. */
  readonly mentions: ReadonlyArray<Mention>
}

/** The part of a measurement that clients see with an answer. */
export interface Reading {
  readonly brandMentioned: boolean
  readonly mentionCount: number
  readonly sentiment: Sentiment | null
  /** 0–100, unrounded. */
  readonly sovScore: number
}
