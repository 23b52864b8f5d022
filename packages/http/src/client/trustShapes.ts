/** Shapes of the REST API's bodies: how far a share can be relied on. Written by `npm run docs` from the API's contract. */
import type { Platform } from "./shapes.ts"

/** The same answers under each definition of voice, and how they speak of the brand. */
export interface Definitions {
  readonly scan_id: string
  /** ISO 8601, UTC, milliseconds */
  readonly completed_at: string
  readonly definitions: ReadonlyArray<{
    /** share (as avg_sov), mention_rate, named_first, rank_weighted, occurrences or citations; more may follow */
    readonly definition: string
    /** Answers that it reads: citations only those that cite */
    readonly n: number
    /** What interval_95 is about, in one phrase */
    readonly interval_about: string
    readonly names: ReadonlyArray<{
      /** Null for the brand, which is the first */
      readonly competitor_id: string | null
      readonly name: string
      readonly value: number | null
      readonly interval_95: {
        readonly low: number
        readonly high: number
      } | null
    }>
  }>
  /** How the answers speak of the brand; older servers omit it */
  readonly sentiment?: {
    /** Answers that name the brand */
    readonly named: number
    /** How many of these are judged; the others are in no share */
    readonly judged: number
    /** What interval_95 is about, in one phrase */
    readonly interval_about: string
    readonly shares: ReadonlyArray<{
      readonly sentiment: "positive" | "neutral" | "negative"
      readonly answers: number
      /** Of the judged answers; null if none is judged */
      readonly value: number | null
      readonly interval_95: {
        readonly low: number
        readonly high: number
      } | null
    }>
  }
  /** Whether its answers are those of APIs or of apps; null if unknown or simulated */
  readonly surface?: "api" | "app" | null
  /** The view that was asked from; null is the standard one */
  readonly view?: string | null
  /** Whose view the numbers are, in one line: surface, web search, market, persona. Older servers omit it */
  readonly surface_line?: string
  /** Present only if the simulated adapter made up the answers */
  readonly simulated?: true
}

/** How much the current share of voice can carry. */
export interface Evidence {
  readonly scan_id: string
  readonly grade: "exploratory" | "directional" | "decision_grade"
  /** Belongs beside the grade wherever it is shown */
  readonly caveat: string
  /** Scans that count as evidence */
  readonly scans: number
  /** The grade is the lowest that one of them allows */
  readonly criteria: ReadonlyArray<{
    /** questions, topics, kinds, platforms, repeats, cadence, stability or disclosure; more may follow */
    readonly criterion: string
    /** A count, or a percentage for stability and disclosure; null if unknown */
    readonly value: number | null
    /** The least value for this grade; 0 = it asks nothing */
    readonly directional: number
    readonly decision_grade: number
    /** What this criterion allows */
    readonly grade: "exploratory" | "directional" | "decision_grade"
  }>
  /** The cheapest way to the next grade; null at the highest */
  readonly next: {
    readonly grade: "exploratory" | "directional" | "decision_grade"
    readonly keywords: number
    readonly platforms: number
    readonly samples: number
    /** Scans of this panel, each on a day of its own; 0 = none */
    readonly scans: number
    /** Of all these scans */
    readonly answers: number
    /** Null if prices are not known */
    readonly cost_usd: number | null
    /** Cheapest first; all of them are needed */
    readonly steps: ReadonlyArray<{
      readonly criterion: string
      /** Questions, topics, kinds, platforms, scans, days or samples; null if no number suffices */
      readonly adds: number | null
      readonly answers: number
      readonly cost_usd: number | null
      /** What to do, in a sentence */
      readonly text: string
    }>
  } | null
  /** Present only if the simulated adapter made up the answers */
  readonly simulated?: true
}

/** What somebody sees who opens single answers. Chances are in per cent. */
export interface SpotCheck {
  /** How often one opened answer names the brand, per cent; null without answers */
  readonly odds: number | null
  readonly odds_interval_95: {
    readonly low: number
    readonly high: number
  } | null
  /**
   * How often three answers to one question on one platform all fail to name the brand, per cent; null if no question
   * has two answers on one platform
   */
  readonly three_misses: number | null
  readonly three_misses_interval_95: {
    readonly low: number
    readonly high: number
  } | null
  /** Minimum and maximum that three_misses can have if it is null */
  readonly three_misses_between: {
    readonly low: number
    readonly high: number
  } | null
  /** What the intervals are about, in one phrase */
  readonly interval_about: string
  readonly answers: number
  readonly questions: number
  readonly topics: number
  /** Scans whose answers count, newest first */
  readonly scans: ReadonlyArray<string>
  readonly platforms: ReadonlyArray<{
    readonly name: Platform
    /** How often one opened answer names the brand, per cent; null without answers */
    readonly odds: number | null
    readonly odds_interval_95: {
      readonly low: number
      readonly high: number
    } | null
    /**
     * How often three answers to one question on one platform all fail to name the brand, per cent; null if no
     * question has two answers on one platform
     */
    readonly three_misses: number | null
    readonly three_misses_interval_95: {
      readonly low: number
      readonly high: number
    } | null
    /** Minimum and maximum that three_misses can have if it is null */
    readonly three_misses_between: {
      readonly low: number
      readonly high: number
    } | null
    /** What the intervals are about, in one phrase */
    readonly interval_about: string
    readonly answers: number
    readonly questions: number
    readonly topics: number
  }>
  readonly tags: ReadonlyArray<{
    readonly name: string
    /** How often one opened answer names the brand, per cent; null without answers */
    readonly odds: number | null
    readonly odds_interval_95: {
      readonly low: number
      readonly high: number
    } | null
    /**
     * How often three answers to one question on one platform all fail to name the brand, per cent; null if no
     * question has two answers on one platform
     */
    readonly three_misses: number | null
    readonly three_misses_interval_95: {
      readonly low: number
      readonly high: number
    } | null
    /** Minimum and maximum that three_misses can have if it is null */
    readonly three_misses_between: {
      readonly low: number
      readonly high: number
    } | null
    /** What the intervals are about, in one phrase */
    readonly interval_about: string
    readonly answers: number
    readonly questions: number
    readonly topics: number
  }>
  /** What the odds cover; belongs beside them */
  readonly caveat: string
  /** Present only if the simulated adapter made up the answers */
  readonly simulated?: true
}
