import { assumedUsage, computeCost, expectedCost } from "@sov/core"
import { describe, expect, it } from "vitest"

const prices = { inputPerMillion: 2.5, outputPerMillion: 10, perRequest: 0.001, perSearch: 0.01 }

describe("computeCost", () => {
  it("the cost is the sum of tokens, requests and searches", () => {
    const usage = { inputTokens: 2_000_000, outputTokens: 100_000, requests: 3, searches: 2 }
    expect(computeCost(prices, usage)).toBeCloseTo(5 + 1 + 0.003 + 0.02, 12)
  })

  it("an answer without usage is charged for one request and no search", () => {
    expect(computeCost({ perRequest: 0.005, perSearch: 9 }, { inputTokens: null, outputTokens: null })).toBe(0.005)
  })

  it("the cost is unknown if priced tokens were not counted, and known if tokens cost nothing", () => {
    expect(computeCost(prices, { inputTokens: null, outputTokens: 1 })).toBe(null)
    expect(computeCost(prices, { inputTokens: 1, outputTokens: null })).toBe(null)
    expect(computeCost({ outputPerMillion: 1 }, { inputTokens: null, outputTokens: 1_000_000 })).toBe(1)
    expect(computeCost({ inputPerMillion: 0 }, { inputTokens: null, outputTokens: null })).toBe(0)
  })
})

describe("expectedCost", () => {
  const mean = { inputTokens: 1_000_000.5, outputTokens: 0.5, requests: 1.5, searches: 0.5, costUsd: 7 }

  it("the expected cost applies current prices to the usage of the last answers", () => {
    expect(expectedCost({ inputPerMillion: 1 }, mean)).toBeCloseTo(1.0000005, 9)
  })

  it("the expected cost is the answers' own mean cost if there are no prices or no counted tokens", () => {
    expect(expectedCost(undefined, mean)).toBe(7)
    expect(expectedCost(prices, { ...mean, inputTokens: null })).toBe(7)
    expect(expectedCost(undefined, null)).toBe(null)
  })

  it("the expected cost of the first answer assumes an ordinary answer, with a search if searches have a price", () => {
    expect(assumedUsage({ inputPerMillion: 1 })).toMatchObject({ inputTokens: 100, outputTokens: 1_000, searches: 0 })
    expect(expectedCost(prices, null)).toBeCloseTo(0.025 + 0.01 + 0.001 + 0.01, 12)
  })
})
