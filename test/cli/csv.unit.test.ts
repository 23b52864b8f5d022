/** Lists as CSV: one header that fits every row, whatever the first of them holds. */
import type { ArchiveRow } from "@sov/http/fetch-client"
import { Effect } from "effect"
import { afterEach, expect, it, vi } from "vitest"
import { pageWriter, showPage } from "../../packages/cli/src/commands/archive/archiveList.ts"
import { csvHeader, csvRow } from "../../packages/cli/src/commands/archive/csvRow.ts"
import { Output } from "../../packages/cli/src/output/Output.ts"
import type { GlobalOptions } from "../../packages/cli/src/settings/GlobalOptions.ts"

afterEach(() => vi.restoreAllMocks())

const csv = () => {
  let text = ""
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  const options: GlobalOptions = { output: "csv", dataDir: ".sov", config: "sov.config.json" }
  return { out: new Output(options), records: () => text.trimEnd().split("\r\n").map((line) => line.split(",")) }
}

const row = (id: string, more: Partial<ArchiveRow> = {}): ArchiveRow => ({
  id,
  scan_id: "s",
  platform: "assistant_a",
  keyword_id: "k",
  prompt_used: "best anvil?",
  raw_response: "Acme.",
  brand_mentioned: true,
  mention_count: 1,
  mention_position: 1,
  sentiment: "neutral",
  sov_score: 100,
  created_at: "2026-03-01T00:00:00.000Z",
  ...more
})
const rows = [row("1"), row("2", { sentiment_by: "a judge" }), row("3", { simulated: true }), row("4")]

it.each([true, false])("every row of archive list has the header's columns, page by page: %s", async (all) => {
  const { out, records } = csv()
  const { write } = pageWriter(out)
  if (!all) showPage(out, rows, { count: 4, next_cursor: null, plan_window_applied: false, window_start: "" })
  else for (const one of rows) await Effect.runPromise(write([one]))
  const [header = [], ...listed] = records()
  const column = (name: string) => listed.map((record) => record[header.indexOf(name)])
  expect(listed.map((record) => record.length)).toEqual(rows.map(() => header.length))
  expect(column("sentiment_by")).toEqual(["", "a judge", "", ""])
  expect(column("sov_score")).toEqual(["100", "100", "100", "100"])
  expect(column("simulated")).toEqual(["false", "false", "true", "false"])
  expect([csvHeader, ...rows.map(csvRow)].map((line) => line.trimEnd().split(","))).toEqual([header, ...listed])
})

it("other lists keep a label that only a later row has", () => {
  const { out, records } = csv()
  out.list([{ id: "1" }, { id: "2", simulated: true }], [], { empty: "" })
  expect(records()).toEqual([["id", "simulated"], ["1", ""], ["2", "true"]])
})
