import { assumedUsage, computeCost, expectedCost } from "@sov/core"
import { describe, expect, it } from "vitest"

const prices = { inputPerMillion: 2.5, outputPerMillion: 10, perRequest: 0.001, perSearch: 0.01 }

describe("computeCost", () => {
  it("adds tokens, requests and searches", () => {
    const usage = { inputTokens: 2_000_000, outputTokens: 100_000, requests: 3, searches: 2 }
    expect(computeCost(prices, usage)).toBeCloseTo(5 + 1 + 0.003 + 0.02, 12)
  })

  it("takes one request and no search where none is said", () => {
    expect(computeCost({ perRequest: 0.005, perSearch: 9 }, { inputTokens: null, outputTokens: null })).toBe(0.005)
  })

  it("is not known when priced tokens were not counted, and known when they cost nothing", () => {
    expect(computeCost(prices, { inputTokens: null, outputTokens: 1 })).toBe(null)
    expect(computeCost(prices, { inputTokens: 1, outputTokens: null })).toBe(null)
    expect(computeCost({ outputPerMillion: 1 }, { inputTokens: null, outputTokens: 1_000_000 })).toBe(1)
    expect(computeCost({ inputPerMillion: 0 }, { inputTokens: null, outputTokens: null })).toBe(0)
  })
})

describe("expectedCost", () => {
  const mean = { inputTokens: 1_000_000.5, outputTokens: 0.5, requests: 1.5, searches: 0.5, costUsd: 7 }

  it("applies current prices to the usage of the last answers", () => {
    expect(expectedCost({ inputPerMillion: 1 }, mean)).toBeCloseTo(1.0000005, 9)
  })

  it("takes their own mean cost without prices, or where tokens were not counted", () => {
    expect(expectedCost(undefined, mean)).toBe(7)
    expect(expectedCost(prices, { ...mean, inputTokens: null })).toBe(7)
    expect(expectedCost(undefined, null)).toBe(null)
  })

  it("assumes an ordinary answer before the first one, with a search if searches have a price", () => {
    expect(assumedUsage({ inputPerMillion: 1 })).toMatchObject({ inputTokens: 100, outputTokens: 1_000, searches: 0 })
    expect(expectedCost(prices, null)).toBeCloseTo(0.025 + 0.01 + 0.001 + 0.01, 12)
  })
})
