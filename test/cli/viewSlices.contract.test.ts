/**
 * Each reader of one view returns the same share, and no reader adds views or surfaces up: the cases are generated from
 * the views and the readers.
 */
import {
  addView,
  createApiKey,
  importCaptured,
  nameOfView,
  poolViews,
  readCapturedFile,
  readReport,
  readScoreReport,
  readTagShares,
  readViewShares,
  removeView,
  roundHalfUp,
  wholeHistory
} from "@sov/core"
import { checkReportFile, makeReportFile } from "@sov/http/report"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { scoreJson } from "../../packages/cli/src/commands/score/scoreReport.ts"
import { scanWith, seed, texts } from "../support/completedScans.ts"
import { oneHome } from "../support/homes.ts"
import { openMcp, type TestMcp } from "../support/mcpServer.ts"
import { reportRequest } from "../support/reportRequest.ts"
import { parseCommandLine } from "./parseCommandLine.ts"

const germany = { name: "germany", country: "DE", language: "de", context: null }
const bakery = { name: "bakery", country: null, language: null, context: "I run a bakery." }

let mcp: TestMcp
let id: Effect.Success<typeof seed>
let key: string
beforeAll(async () => {
  mcp = await openMcp(oneHome[0]!)
  const made = await mcp.run(Effect.gen(function*() {
    const id = yield* seed
    yield* addView(id, germany)
    yield* addView(id, bakery)
    // Shares that differ: the brand is named in 6 (beside a competitor), 4 and 2 of the 6 questions
    yield* scanWith(id, 100, () => "Acme Forge and Globex.", { surface: "api" })
    yield* scanWith(id, 200, (n) => n < 4 ? "Acme Forge." : "Globex.", { surface: "api", view: germany })
    yield* scanWith(id, 300, (n) => n < 2 ? "Acme Forge." : "Initech.", { surface: "api", view: bakery })
    const answers = texts.map((question, n) =>
      JSON.stringify({
        platform: "assistant_a",
        question,
        text: n === 0 ? "Acme Forge." : "Globex.",
        captured_at: "2026-01-20T09:00:00Z",
        captured_by: "Ada",
        account: "logged out"
      })
    )
    yield* importCaptured(id, readCapturedFile(Buffer.from(answers.join("\n"))))
    return { id, key: (yield* createApiKey(id, "slices")).secret }
  }))
  id = made.id
  key = made.key
}, 120_000)
afterAll(() => mcp.close())

const slices = ["standard", "germany", "bakery", "captured"] as const
const scannedAs = (view: string) => view === "standard" ? null : view
const shareOf = (view: string) => mcp.run(readScoreReport(id, wholeHistory, 12, null, scannedAs(view)))

/** The report of a view, which verifies. */
const reportOf = async (organizationId: typeof id, view: string | null) => {
  const { evidence, figures } = await mcp.run(readReport({ id: organizationId, name: "Acme" }, wholeHistory, {
    ...reportRequest,
    view,
    answers: true
  }))
  const page = makeReportFile(evidence, figures, null)
  expect(checkReportFile(page).problems).toEqual([])
  return { evidence, figures, page }
}

/** The share, the surface line and the scan that a reader returns for a view. */
interface Seen {
  readonly scan_id: string
  readonly avg_sov: number
  readonly surface_line: string
}
const readers: { readonly [name: string]: (view: string) => Promise<Partial<Seen>> } = {
  command: async (view) => scoreJson(await shareOf(view)) as Seen,
  REST: async (view) => (await mcp.ask(`/api/v1/sov?view=${view}`, { key })).json as Seen,
  definitions: async (view) => {
    const found = (await mcp.ask(`/api/v1/sov/definitions?view=${view}`, { key })).json as Seen & {
      readonly definitions: ReadonlyArray<{ readonly names: ReadonlyArray<{ readonly value: number }> }>
    }
    return { ...found, avg_sov: roundHalfUp(found.definitions[0]!.names[0]!.value, 0) }
  },
  tool: async (view) => (await mcp.call(key, "get_visibility_summary", { view })).structuredContent as unknown as Seen,
  views: async (view) => {
    const shares = await mcp.run(readViewShares(id, wholeHistory))
    const { newest, surfaceLine } = shares.find((one) => nameOfView(one.view) === view)!
    return { scan_id: newest!.scan.id, avg_sov: roundHalfUp(newest!.score.avgSov!, 0), surface_line: surfaceLine! }
  },
  report: async (view) => {
    const { figures, page } = await reportOf(id, scannedAs(view))
    if (view === "captured") expect(page).toContain("that is the word of the person who imported them")
    return {
      scan_id: figures.standing.report.scan.id,
      avg_sov: Number(/<strong class="number">(\d+)/.exec(page)![1]),
      surface_line: /<p class="small">((?:API|App) answers, .*?)\.<\/p>/.exec(page)![1]!.replaceAll("&quot;", "\"")
    }
  }
}

describe.each(slices)("the view %s", (view) => {
  it.each(Object.keys(readers))("reader %s returns the share of the command", async (name) => {
    const { score, scan } = await shareOf(view)
    const line = scoreJson(await shareOf(view)).surface_line
    const seen = await readers[name]!(view)
    expect([seen.scan_id, seen.avg_sov]).toEqual([scan.id, roundHalfUp(score.avgSov!, 0)])
    if (seen.surface_line !== undefined) expect(seen.surface_line).toBe(line)
  })
})

it("the four views have different shares, so that reading the wrong view would be noticed", async () => {
  const shares = await Promise.all(slices.map(async (view) => (await shareOf(view)).score.avgSov))
  expect(new Set(shares).size).toBe(slices.length)
})

it("a view that no scan has asked yet is named by the readers of its share", async () => {
  await mcp.run(addView(id, { ...germany, name: "austria", country: "AT" }))
  const named = { _tag: "NoCompletedScan", view: "austria" }
  expect(await mcp.run(Effect.flip(readScoreReport(id, wholeHistory, 12, null, "austria")))).toMatchObject(named)
  expect(await mcp.run(Effect.flip(readTagShares(id, wholeHistory, 12, undefined, "austria")))).toMatchObject(named)
  await mcp.run(removeView(id, "austria"))
})

it.each([
  [{ country: "XX" }, "country code"],
  [{ country: "UK" }, "country code"],
  [{ country: "EU" }, "country code"],
  [{ language: "zz" }, "language code"],
  [{ name: "GERMANY" }, "there is a view \"germany\" already"]
])("a view with %o is refused", async (fields, why) => {
  const refused = await mcp.run(Effect.flip(addView(id, { ...germany, name: "new", ...fields })))
  expect(refused).toMatchObject({ _tag: "Rejected", message: expect.stringContaining(why) })
})

it("the report of a view that was added again with another country is valid, and has only its own scans", async () => {
  const { organizationId, scans } = await mcp.run(Effect.gen(function*() {
    const organizationId = yield* seed
    const scans = []
    for (const [n, country] of ["DE", "DE", "AT", "AT"].entries()) {
      const fields = { surface: "api", view: { ...germany, country } } as const
      scans.push(
        yield* scanWith(organizationId, 100 * n, (keyword) => keyword < 4 - n ? "Acme Forge." : "Globex.", fields)
      )
    }
    return { organizationId, scans }
  }))
  const { evidence } = await reportOf(organizationId, "germany")
  expect(evidence.scans.map((scan) => scan.id)).toEqual([scans[3]!.id, scans[2]!.id])
})

const pairs = slices.flatMap((one, i) => slices.slice(i + 1).map((other) => [one, other] as const))

describe.each(pairs)("%s and %s", (one, other) => {
  it.each([
    ["REST", async () => (await mcp.ask(`/api/v1/sov?view=${one}&view=${other}`, { key })).status],
    ["definitions", async () => (await mcp.ask(`/api/v1/sov/definitions?view=${one}&view=${other}`, { key })).status],
    ["archive", async () => (await mcp.ask(`/api/v1/archive?view=${one}&view=${other}`, { key })).status],
    ["tool", async () => (await mcp.call(key, "get_visibility_summary", { view: [one, other] })).isError ? 400 : 200]
  ])("%s refuses to add the views up", async (_, ask) => {
    expect(await ask()).toBe(400)
  })

  it.each(["score", "score --by tag", "report --out -", "archive list", "archive export --out -"])(
    "sov %s refuses to add the views up, and explains how to use weights",
    async (command) => {
      const line = `sov ${command} --view ${one}`
      await parseCommandLine(line)
      await expect(parseCommandLine(`${line} --view ${other}`)).rejects.toThrow(/never added up.*--weight/)
    }
  )

  it("weights combine views of APIs into a weighted mean, but never APIs with apps", async () => {
    const shares = await mcp.run(readViewShares(id, wholeHistory))
    const pooled = await mcp.run(Effect.result(poolViews(shares, new Map([[one, 3], [other, 1]]))))
    if (one === "captured" || other === "captured") {
      expect(pooled).toMatchObject({ _tag: "Failure", failure: { message: expect.stringContaining("never add up") } })
    } else {
      const [a, b] = [(await shareOf(one)).score.avgSov!, (await shareOf(other)).score.avgSov!]
      expect((pooled as { readonly success: { readonly sov: number } }).success.sov).toBeCloseTo((3 * a + b) / 4, 10)
    }
  })
})
