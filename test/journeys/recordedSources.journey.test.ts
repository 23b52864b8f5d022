/**
 * Whether the sources that are listed are there again when the same questions are asked again, and whether chance is
 * called a change. Runs where `SOV_RECORDED_ANSWERS` names a folder with `data/`; the answers are not part of this
 * project.
 */
import {
  type CitingRow,
  deriveSources,
  findSourceChanges,
  type KeywordId,
  listCitedSites,
  makeOwnerLookup,
  type ScanId,
  type SourcedRow,
  toCitingRows,
  type TrackedSet
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { marketAnswers, recorded } from "../support/recordedMarkets.ts"

const nobody = { brand: { domains: [] }, competitors: [] } as unknown as TrackedSet

/** The three runs of all questions, as scans. */
const scans = (): ReadonlyArray<ReadonlyArray<CitingRow>> => {
  const answers = marketAnswers()
  return [1, 2, 3].map((run) => {
    const rows = answers.filter((one) => one.run === run).map((one): SourcedRow => {
      const payload = new TextEncoder().encode(JSON.stringify(one))
      const { queries, sources, status } = deriveSources({
        adapter: "recorded",
        payload,
        text: one.answer,
        citations: []
      })
      return {
        platform: one.platform,
        keywordId: one.prompt as KeywordId,
        scanId: String(run) as ScanId,
        brandMentioned: false,
        competitorsMentioned: [],
        search: null,
        status,
        payloadKept: true,
        sources,
        queries
      }
    })
    return toCitingRows(rows, makeOwnerLookup(nobody))
  })
}

describe.skipIf(recorded === "")("three recorded runs of the same questions", () => {
  const runs = recorded === "" ? [] : scans()
  const pairs = [[0, 1], [0, 2], [1, 2]].map(([a, b]) => [runs[a!]!, runs[b!]!] as const)

  it.each(["domain", "page"] as const)(
    "at least 85 %% of the domains that %s lists are cited again, and fewer of the other domains",
    (by) => {
      const again = (listed: boolean) => {
        const found = pairs.flatMap(([first, second]) => {
          const later = new Set(listCitedSites(second, by).map(({ name }) => name))
          return listCitedSites(first, by).filter((site) => site.listed === listed).map(({ name }) => later.has(name))
        })
        return 100 * found.filter(Boolean).length / found.length
      }
      process.stdout.write(
        `cited again by ${by}: listed ${again(true).toFixed(1)} %, others ${again(false).toFixed(1)} %\n`
      )
      expect(again(true)).toBeGreaterThanOrEqual(85)
      expect(again(false)).toBeLessThan(60)
    }
  )

  it("no domain is reported as new or missing", () => {
    const said = pairs.flatMap(([first, second]) =>
      findSourceChanges(first, second).filter(({ beyondNoise }) => beyondNoise)
    )
    process.stdout.write(`said to have changed: ${said.length} in ${pairs.length} comparisons\n`)
    expect(said.length).toBeLessThanOrEqual(1)
  })
})
