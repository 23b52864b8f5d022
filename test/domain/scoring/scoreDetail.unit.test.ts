/** A detail that is kept must say what would be formed today. */
import { type Competitor, formScoreDetail, groupIntoCells, type ScanId, scoreDetailVersion } from "@sov/core"
import { scoreOf } from "@sov/core/testing"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { detailOf } from "../../support/keptDetails.ts"
import { rivals, rowsOf } from "./support.ts"

const competitors = rivals.map((id): Competitor => ({ id, name: `Rival ${id}`, aliases: [], domains: [] }))
const scanId = "scan" as ScanId
const set = { competitors, version: 1 }

/** Numbers to nine digits: the last ones are the engine's. */
const summarize = (detail: unknown): string =>
  createHash("sha256").update(
    JSON.stringify(
      detail,
      (_, value: unknown) =>
        value instanceof Map ? [...value] : typeof value === "number" ? Number(value.toPrecision(9)) : value
    )
  ).digest("hex").slice(0, 16)

// A change of what a detail says counts `scoreDetailVersion` up: what is kept under the old one is then formed
// again
it("the stored form of a score's detail changes only together with its version", () => {
  const said = [0, 1, 4].map((before) => detailOf(scanId, set, before)).map(summarize)
  expect({ scoreDetailVersion, said }).toEqual({
    scoreDetailVersion: 5,
    said: ["492015fb2bf96342", "cc86900d378392f5", "67fdb30b1b9b85d4"]
  })
})

it("the detail compares the scan with the previous scan, and predicts the next one if there are two or more scans", () => {
  const cells = (named: ReadonlyArray<string>) => groupIntoCells(rowsOf(named))
  const scans = [cells(["b", "b", "1", "", "b"]), cells(["b", "b", "b1", "", "b"])]
  const form = (count: number) => formScoreDetail(scoreOf(scanId), set, scans.slice(-count), [])
  expect(form(1)).toMatchObject({ change: null, next: null })
  const { change, keywordShares, next } = form(2)
  expect(change).toMatchObject({ nCells: 5, ofCells: 5, trend: { before: 60, after: 70 } })
  expect(next).toMatchObject({ expected: 65, nCells: 5 })
  expect(keywordShares.map(({ id, sov }) => [id, sov])).toEqual([
    ["k1", 100],
    ["k2", 100],
    ["k3", 50],
    ["k4", 0],
    ["k5", 100]
  ])
})
