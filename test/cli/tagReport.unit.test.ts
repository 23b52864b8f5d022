/** Shares by tag and lists of scans as they are printed: what a narrowed scan asked stands beside its number. */
import type { Scan, TagShare } from "@sov/core"
import { afterEach, describe, expect, it, vi } from "vitest"
import { listScans } from "../../packages/cli/src/commands/scan/listScans.ts"
import { printTags } from "../../packages/cli/src/commands/score/tagReport.ts"
import { Output } from "../../packages/cli/src/output/Output.ts"

afterEach(() => vi.restoreAllMocks())

const printed = (output: "table" | "csv", print: (out: Output) => void): ReadonlyArray<string> => {
  let text = ""
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((data) => {
      text += String(data)
      return true
    })
  }
  print(new Output({ dataDir: ".sov", config: "sov.config.json", color: "never", output }))
  vi.restoreAllMocks()
  return text.trimEnd().split(/\r?\n/)
}

const makeScan = (id: string, keywords: number): Scan =>
  ({
    id,
    startedAt: new Date("2026-11-02T08:00:00Z"),
    completedAt: null,
    simulated: false,
    platforms: ["assistant_a"],
    samples: 1,
    cellCount: keywords,
    askable: { keywords: 11, platforms: 1 }
  }) as unknown as Scan

const share: TagShare = { sov: 25, interval: null, n: 2, keywords: 2, topics: 2, platforms: [] }
const [whole, narrow] = [makeScan("whole", 11), makeScan("narrow", 2)]

describe("shares by tag", () => {
  const found = (scans: ReadonlyArray<Scan>, shares: ReadonlyArray<TagShare | null> = scans.map(() => share)) => {
    const at = shares.findLastIndex((one) => one !== null)
    return {
      scans,
      tags: [{ tag: "price", system: false, shares, newest: at === -1 ? null : { scan: scans[at]!, share } }]
    }
  }

  it.each([[undefined], ["price"]])("shares by tag name the part that a narrowed scan asked (tag %s)", (only) => {
    const [row, ...rest] = printed("table", (out) => printTags(out, found([whole, narrow]), only))
    expect(row).toMatch(/^price\t25 %\t.*Z\t2 of 11 keywords$/)
    expect(rest).toHaveLength(only === undefined ? 0 : 1)
    if (only !== undefined) expect(rest[0]).not.toContain("of 11")
    expect(printed("table", (out) => printTags(out, found([whole]), only)).join()).not.toContain("of 11")
  })

  it("a tag without answers is reported if other tags have answers", () => {
    expect(printed("table", (out) => printTags(out, found([whole, narrow], [null, null]), "price"))).toEqual([
      "No answer in the 2 newest scans is to a keyword with the tag \"price\"."
    ])
  })
})

it("a list of scans in CSV has one plain value per cell, and no JSON", () => {
  const asked = { platforms: 1, configured_platforms: 1, keywords: 2, tracked_keywords: 11 }
  const scan = { id: "narrow", status: "completed", scan_type: "manual", started_at: "x", avg_sov: 25, asked, n: 2 }
  const lines = printed("csv", (out) =>
    listScans(out, [
      { ...scan, interval_95: { low: 10.5, high: 40 } },
      { ...scan, id: "whole", asked: { ...asked, keywords: 11 }, interval_95: null }
    ]))
  expect(lines).toEqual([
    "id,status,scan_type,started_at,avg_sov,n,low,high,asked",
    "narrow,completed,manual,x,25,2,10.5,40,2 of 11 keywords",
    "whole,completed,manual,x,25,2,,,"
  ])
})
