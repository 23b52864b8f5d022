/** What answers cost, in US dollars: the operator's prices, and the amounts that follow from them. */
import type { Usage } from "../archive/Answer.ts"
import type { ChargeId, ScanId } from "../ids.ts"
import type { PlatformId } from "./Platform.ts"

/** Prices of one platform as its provider lists them; an absent one is 0. */
export interface Prices {
  /** For a million input tokens, and for a million output tokens. */
  readonly inputPerMillion?: number
  readonly outputPerMillion?: number
  readonly perRequest?: number
  /** For a web search that the provider makes for an answer. */
  readonly perSearch?: number
}

/**
 * The cost of one answer. Null when a price is set for tokens that the platform did not count. Searches that it does
 * not report count as none.
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

/** Usage of a platform's reply that is not an archived answer. */
export interface Charge {
  readonly id: ChargeId
  readonly scanId: ScanId
  readonly platform: PlatformId
  /** `unanswered` = no text came; `judgement` = the platform judged an answer. */
  readonly kind: "unanswered" | "judgement"
  readonly usage: Usage
  readonly createdAt: Date
}

/** Whether anything of it is known. */
export const isKnownUsage = ({ costUsd, inputTokens, outputTokens, searches }: Usage): boolean =>
  costUsd !== null || inputTokens !== null || outputTokens !== null || (searches ?? 0) > 0

/**
 * Answers and charges and what they used, summed. `costUsd` sums the known costs, `unpriced` counts the answers and
 * charges without one.
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

/** What an answer used on average; null = no answer said so. */
export interface MeanUsage {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly requests: number
  readonly searches: number
  readonly costUsd: number | null
}

/**
 * What is assumed of an answer while none is archived: a short question and an ordinary answer, one search if priced.
 */
export const assumedUsage = (prices: Prices): MeanUsage => {
  const searches = (prices.perSearch ?? 0) > 0 ? 1 : 0
  // The pages that a search finds are read as input.
  return { inputTokens: searches === 0 ? 100 : 10_000, outputTokens: 1_000, requests: 1, searches, costUsd: null }
}

/**
 * The cost that a budget counts for a reply whose own cost is not known; null = nothing is known to estimate it from.
 */
export const assumedCost = (prices: Prices | undefined, mean: MeanUsage | null): number | null =>
  expectedCost(prices, mean) ?? (prices === undefined ? null : computeCost(prices, assumedUsage(prices)))

/** The cost to expect of one answer: present prices on what answers used, else their mean cost; null = not known. */
export const expectedCost = (prices: Prices | undefined, mean: MeanUsage | null): number | null => {
  if (prices === undefined) return mean?.costUsd ?? null
  return computeCost(prices, mean ?? assumedUsage(prices)) ?? mean?.costUsd ?? null
}
