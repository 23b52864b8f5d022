/** The cost of answers in US dollars: the operator's prices, and the amounts computed from them. */
import type { Usage } from "../archive/Answer.ts"
import type { ChargeId, ScanId } from "../ids.ts"
import type { PlatformId } from "./Platform.ts"

/** Prices of one platform from its provider's price list; a missing price is 0. */
export interface Prices {
  /** Prices per million input tokens and per million output tokens. */
  readonly inputPerMillion?: number
  readonly outputPerMillion?: number
  readonly perRequest?: number
  /** Price of a web search that the provider performs for an answer. */
  readonly perSearch?: number
}

/**
 * The cost of one answer. Null if tokens have a price but the platform did not count them. If it does not report
 * searches, they count as 0.
 */
export const computeCost = (prices: Prices, usage: Omit<Usage, "costUsd">): number | null => {
  const tokens = (count: number | null, perMillion = 0) =>
    perMillion === 0 ? 0 : count === null ? null : count * perMillion
  const input = tokens(usage.inputTokens, prices.inputPerMillion)
  const output = tokens(usage.outputTokens, prices.outputPerMillion)
  if (input === null || output === null) return null
  return (input + output) / 1_000_000 + (usage.requests ?? 1) * (prices.perRequest ?? 0) +
    (usage.searches ?? 0) * (prices.perSearch ?? 0)
}

/** The usage of a platform's reply that did not become an archived answer. */
export interface Charge {
  readonly id: ChargeId
  readonly scanId: ScanId
  readonly platform: PlatformId
  /** `unanswered`: no text arrived · `judgement`: the platform judged an answer. */
  readonly kind: "unanswered" | "judgement"
  readonly usage: Usage
  readonly createdAt: Date
}

/** Whether any part of the usage is known. */
export const isKnownUsage = ({ costUsd, inputTokens, outputTokens, searches }: Usage): boolean =>
  costUsd !== null || inputTokens !== null || outputTokens !== null || (searches ?? 0) > 0

/**
 * Total usage of answers and charges. `costUsd` sums the known costs, `unpriced` counts the answers and charges of
 * unknown cost.
 */
export interface Spending {
  readonly answers: number
  readonly charges: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly searches: number
  readonly costUsd: number
  readonly unpriced: number
}

/** Mean usage of an answer; null if no answer reported it. */
export interface MeanUsage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly requests: number
  readonly searches: number
  readonly costUsd: number | null
}

/**
 * The assumed usage of an answer before any is archived: a short question, an ordinary answer, and one search if
 * searches have a price.
 */
export const assumedUsage = (prices: Prices): MeanUsage => {
  const searches = (prices.perSearch ?? 0) > 0 ? 1 : 0
  // Pages that a search finds count as input tokens
  return { inputTokens: searches === 0 ? 100 : 10_000, outputTokens: 1_000, requests: 1, searches, costUsd: null }
}

/** The cost that a budget assumes for a reply of unknown cost; null if there is no basis for an estimate. */
export const assumedCost = (prices: Prices | undefined, mean: MeanUsage | null): number | null =>
  expectedCost(prices, mean) ?? (prices === undefined ? null : computeCost(prices, assumedUsage(prices)))

/**
 * The expected cost of one answer: present prices applied to the mean usage (or to `assumedUsage` without one), or else
 * the mean cost; null if unknown.
 */
export const expectedCost = (prices: Prices | undefined, mean: MeanUsage | null): number | null => {
  if (prices === undefined) return mean?.costUsd ?? null
  return computeCost(prices, mean ?? assumedUsage(prices)) ?? mean?.costUsd ?? null
}
