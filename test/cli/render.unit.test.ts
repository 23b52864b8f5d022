/** Pictures of numbers: bars, sparklines, the progress of a scan, a table of scores. */
import { type CellCounts, csvLine, csvSeparators, formatSigned, type PlatformId, type ScanProgress } from "@sov/core"
import { describe, expect, it } from "vitest"
import type { StatusDocument } from "../../packages/cli/src/commands/status/readStatus.ts"
import { formatBytes, statusRows } from "../../packages/cli/src/commands/status/statusView.ts"
import { progressText } from "../../packages/cli/src/output/rowProgress.ts"
import { drawsBlocks, renderBar } from "../../packages/cli/src/render/bars.ts"
import { displayWidth } from "../../packages/cli/src/render/displayWidth.ts"
import { formatDuration, progressLine, progressLines } from "../../packages/cli/src/render/progress.ts"
import { changeRows, scoreRows, wrapSentence } from "../../packages/cli/src/render/scoreView.ts"
import { findSharedMax, renderSparkline } from "../../packages/cli/src/render/sparkline.ts"
import { describeCostOfOneMoreView, noPriceText } from "../../packages/cli/src/render/spending.ts"
import { renderTable } from "../../packages/cli/src/render/table.ts"
import { renderLabelled } from "../../packages/cli/src/render/wrapped.ts"

describe("tables", () => {
  const header = ["TIME", "PLATFORM", "ID", "PROMPT", "ANSWER"]
  const time = "2026-03-01T00:00:00.000Z"
  const id = "0193b3d0-0000-7000-8000-000000000000"
  const row = [
    time,
    "assistant_a SIMULATED",
    id,
    "What is the best anvil? ".repeat(2),
    "Acme, then Globex. ".repeat(12)
  ]
  const drawn = (width: number, cells: ReadonlyArray<string> = row) =>
    renderTable([cells, cells], { header: header.slice(0, cells.length), align: [], width }).trimEnd().split("\n")

  it.each([60, 80, 120, 400])("tables fit %d columns without cutting times or ids", (width) => {
    const lines = drawn(width)
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
    for (const whole of [time, id, "assistant_a SIMULATED"]) {
      expect(lines.filter((line) => line.includes(whole))).toHaveLength(2)
    }
  })

  it("tables become blocks in narrow terminals, and never repeat long text endlessly", () => {
    const lines = drawn(60)
    expect(lines.slice(0, 3)).toEqual([`TIME      ${time}`, "PLATFORM  assistant_a SIMULATED", `ID        ${id}`])
    expect(lines.indexOf("")).toBe((lines.length - 1) / 2)
    expect(lines.length).toBeLessThanOrEqual(17)
    expect(drawn(60, row.slice(0, 2))[0]).toBe("TIME                      PLATFORM")
  })
})

describe("where blocks can be drawn", () => {
  it.each([
    [{}, true],
    [{ TERM: "xterm", LANG: "de_DE.UTF-8" }, true],
    [{ LANG: "C.utf8" }, true],
    [{ TERM: "dumb", LANG: "C.UTF-8" }, false],
    [{ LANG: "C" }, false],
    [{ LANG: "de_DE.ISO-8859-1" }, false],
    [{ LANG: "C.UTF-8", LC_CTYPE: "POSIX" }, false],
    [{ LANG: "C", LC_ALL: "en_US.UTF-8" }, true],
    [{ LANG: "C.UTF-8", LC_ALL: "" }, true]
  ])("blocks can be drawn with %j: %s", (env, expected) => expect(drawsBlocks(env)).toBe(expected))
})

describe("bar", () => {
  it("a bar resolves eighths of a column", () => {
    const drawn = Array.from({ length: 9 }, (_, i) => renderBar(i, 8, 1, true))
    expect(drawn).toEqual([" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"])
    expect(renderBar(50, 100, 5, true)).toBe("██▌  ")
  })

  it("a bar is always as wide as requested, for any value", () => {
    for (const value of [-5, 0, 0.001, 33.3, 99.99, 100, 250, Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const blocks of [true, false]) expect(displayWidth(renderBar(value, 100, 20, blocks))).toBe(20)
    }
  })

  it("a bar is visible for the smallest value, and empty for zero or without a scale", () => {
    expect(renderBar(0.01, 100, 4, true)).toBe("▏   ")
    expect(renderBar(0.01, 100, 4, false)).toBe("#   ")
    expect(renderBar(0, 100, 4, false)).toBe("    ")
    expect(renderBar(1, 0, 4, true)).toBe("    ")
    expect(renderBar(0, 0, 4, true)).toBe("    ")
  })
})

describe("sparkline", () => {
  it("a sparkline has eight levels from 0 to the scale's end", () => {
    expect(renderSparkline([0, 1, 2, 3, 4, 5, 6, 7], 7, true)).toBe("▁▂▃▄▅▆▇█")
    expect(renderSparkline([0, 7, 99, -3], 7, false)).toBe("_##_")
  })

  it("all rows share one scale, so that a small step stays small", () => {
    const rows = [[38, 40, 38], [80, null, 79]]
    const max = findSharedMax(rows)
    expect(max).toBe(80)
    expect(rows.map((row) => renderSparkline(row, max, true))).toEqual(["▄▅▄", "█ █"])
  })

  it("a missing value is blank, and an empty scale is accepted", () => {
    expect(renderSparkline([null, 0], findSharedMax([[null, 0]]), true)).toBe(" ▁")
    expect(findSharedMax([])).toBe(0)
  })
})

const counts = (platform: PlatformId, open: number, answered: number, failed: number): CellCounts => ({
  platform,
  open,
  answered,
  failed,
  noOverview: 0,
  cancelled: 0,
  calls: answered + failed
})
const progress = (...all: ReadonlyArray<CellCounts>): ScanProgress => ({
  counts: all,
  scan: { status: "running" } as ScanProgress["scan"]
})

describe("progress of rows", () => {
  it("the line shows the number of rows done, the total, the rate and the time left", () => {
    expect(progressText("Restoring", "rows", 12_000, 40_000, 3000)).toBe(
      "Restoring: 12,000 of 40,000 rows (30 %), 4,000 rows/s, 7 s left"
    )
    expect(progressText("Importing", "rows", 12_000, null, 3000)).toBe("Importing: 12,000 rows, 4,000 rows/s")
  })

  it("an estimate is marked as an estimate until it is reached", () => {
    const shown = (done: number, about: number) => progressText("Exporting", "answers", done, { about }, 1000)
    expect(shown(10, 40)).toBe("Exporting: 10 of about 40 answers (25 %), 10 answers/s, 3 s left")
    for (const about of [-5, 0, 10, 7]) expect(shown(10, about)).toBe("Exporting: 10 answers, 10 answers/s")
  })
})

describe("progress of a scan", () => {
  const half = progress(counts("assistant_a", 10, 40, 0), counts("assistant_b", 48, 0, 2))

  it("the total and one line per platform are drawn", () => {
    expect(progressLines(half, 21_000, 80, { blocks: true })).toEqual([
      "total        ████████████▋                    40/100  2 failed  29 s left",
      "assistant_a  ████████████████████████         40/50",
      "assistant_b  █▎                                0/50   2 failed"
    ])
  })

  it("the lines never exceed the given width", () => {
    for (const width of [20, 40, 60, 200]) {
      for (const line of progressLines(half, 5_000, width, { blocks: false })) {
        expect(displayWidth(line)).toBeLessThanOrEqual(width)
      }
    }
  })

  it("no time left is shown before the first cell has ended, also when a scan is resumed", () => {
    const [fresh] = progressLines(progress(counts("assistant_a", 5, 0, 0)), 4_000, 80, { blocks: true })
    expect(fresh).toContain("4 s")
    expect(fresh).not.toContain("left")
    const [resumed] = progressLines(half, 4_000, 80, { blocks: true, endedBefore: 42 })
    expect(resumed).not.toContain("left")
    const [later] = progressLines(half, 4_000, 80, { blocks: true, endedBefore: 40 })
    expect(later).toContain("1 min 56 s left")
  })

  it("logs contain one plain line", () => {
    expect(progressLine(half)).toBe("40/100 answers, 2 failed")
    expect(progressLine(progress(counts("assistant_a", 1, 1, 0)))).toBe("1/2 answers")
  })

  it.each([[0, "0 s"], [59_400, "59 s"], [59_600, "1 min 0 s"], [3_725_000, "1 h 2 min"], [-5, "0 s"]])(
    "the duration of %d ms is shown as %s",
    (ms, text) => expect(formatDuration(ms)).toBe(text)
  )
})

describe("rows of a score", () => {
  const plain = { width: 60, blocks: true, style: (_: string, text: string) => text }

  it("every number that comes from simulated answers is labelled, and no other number", () => {
    const rows = [{ name: "assistant_a", value: 42.5 }, { name: "assistant_b", value: null, note: "no answer" }]
    for (const line of scoreRows(rows, plain, true)) expect(line).toContain("SIMULATED")
    for (const line of scoreRows(rows, plain, false)) expect(line).not.toContain("SIMULATED")
  })

  it("a missing score is shown as a dash, never as 0", () => {
    const [line] = scoreRows([{ name: "assistant_b", value: null, note: "no answer" }], plain, false)
    expect(line).toMatch(/^ {2}assistant_b +- {2}no answer$/)
  })

  it("tables beside each other share one scale", () => {
    const brand = { name: "Acme", value: 30 }
    const [alone] = scoreRows([brand], plain, false)
    const [beside] = scoreRows([brand], plain, false, [{ name: "a much longer name", value: 90 }])
    const blocks = (line = "") => [...line].filter((sign) => sign === "█").length
    expect(blocks(beside)).toBeLessThan(blocks(alone))
    const [other] = scoreRows([{ name: "a much longer name", value: 90 }], plain, false, [brand])
    expect(beside!.indexOf("█")).toBe(other!.indexOf("█"))
  })

  it("wide names are aligned by the columns that they occupy", () => {
    const lines = scoreRows([{ name: "珈琲館", value: 10 }, { name: "Kaffee", value: 10 }], plain, false)
    expect(lines.map((line) => displayWidth(line.slice(0, line.indexOf("█"))))).toEqual([10, 10])
  })

  it("interval, history, mark and note fit 60 columns by leaving out the oldest scans", () => {
    const history = Array.from({ length: 30 }, (_, n) => n)
    const rows = [
      { name: "all platforms", value: 33.3, interval: { low: 26.6, high: 41.2 }, history },
      { name: "assistant_a", value: 100, interval: { low: 0, high: 100 }, history, note: "low coverage" },
      { name: "assistant_b", value: null, interval: null, history, note: "no answer" }
    ]
    for (const simulated of [true, false]) {
      const lines = scoreRows(rows, plain, simulated)
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60)
      expect(lines[0]).toContain("27–41")
    }
    expect(scoreRows(rows, { ...plain, width: 72 }, false)[0]).toMatch(/▄.*▇███$/)
  })
})

describe("changes", () => {
  const plain = { width: 60, blocks: true, style: (_: string, text: string) => text }
  const rows = [
    { name: "best espresso machine for a very small kitchen in a van", before: 100, after: 0, moved: true },
    { name: "assistant_a", before: 33.333, after: 33.36, moved: false }
  ]

  it("changes show the values before and after, the difference and whether it exceeds noise, within the width", () => {
    expect(changeRows(rows, { ...plain, width: 44 }, false)).toEqual([
      "  best espress…  100.0    0.0  -100.0  MOVED",
      "  assistant_a     33.3   33.4     0.0  noise"
    ])
    for (const line of changeRows(rows, plain, true)) {
      expect(displayWidth(line)).toBeLessThanOrEqual(60)
      expect(line).toMatch(/SIMULATED$/)
    }
  })

  it.each([[2.05, "+2.1"], [-17.96, "-18.0"], [0.04, "0.0"], [-0.04, "0.0"], [0, "0.0"]])(
    "a change of %f points is shown as %s",
    (points, text) => expect(formatSigned(points)).toBe(text)
  )

  it("sentences are wrapped at spaces, and the mark of a simulated sentence comes once, at its beginning", () => {
    const text = "Since the scan of 2026-01-31 23:59 UTC: +2.1 points, within noise (40 of 40 cells in both)."
    const lines = wrapSentence(text, { ...plain, style: (_, word) => `<${word}>` }, true)
    expect(lines.join(" ")).toBe(`<SIMULATED>: ${text}`)
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(62)
    expect(lines.length).toBe(2)
    expect(wrapSentence("short", plain, false)).toEqual(["short"])
  })
})

describe("labelled rows", () => {
  it("labelled rows are wrapped within their column, and a long word stays complete", () => {
    expect(renderLabelled([["a", "one two three four five six"], ["long", "x".repeat(30)], ["", "more"]], 26)).toEqual([
      "a     one two three four",
      "      five six",
      `long  ${"x".repeat(30)}`,
      "      more"
    ])
    expect(renderLabelled([["a", "one two three four five six"]], undefined)).toEqual([
      "a  one two three four five six"
    ])
  })
})

describe("bytes", () => {
  it.each([[0, "0 B"], [999, "999 B"], [8_511_611, "8.5 MB"], [45e9, "45 GB"], [2e15, "2000 TB"]])(
    "a size of %d bytes is shown as %s",
    (n, text) => {
      expect(formatBytes(n)).toBe(text)
    }
  )
})

describe("status", () => {
  const now = new Date("2026-01-31T12:00:00Z")
  const organization = (n: number) => ({
    id: `id-${n}`,
    name: `Org ${n}`,
    slug: `org-${n}`,
    plan: "pro" as const,
    quota: { period: "2026-01", limit: 100, used: 3, remaining: 97, resets_at: "2026-02-01T00:00:00.000Z" },
    answers: 1,
    last_scan: {
      scan_id: "s",
      status: "completed" as const,
      started_at: "2026-01-20T12:00:00.000Z",
      completed_at: "2026-01-20T12:01:00.000Z",
      avg_sov: 39,
      simulated: true
    },
    schedule: null
  })
  const status = (fields: object) =>
    ({
      sov: { version: "1", node: "24" },
      database: {
        kind: "server",
        location: "postgres://db/sov",
        source: ".env",
        from: "SOV_DATABASE_URL",
        state: "ready",
        version: "17.5",
        size_bytes: 1e6,
        schema_version: 3,
        pending_migrations: 0,
        error: null
      },
      owner: null,
      organizations: [],
      organizations_total: 0,
      platforms_ended: [],
      running: [],
      running_total: 0,
      workers: [],
      ...fields
    }) as StatusDocument
  const text = (fields: object) => statusRows(status(fields), now).map(([label, value]) => `${label}: ${value}`)

  it("simulated numbers are labelled, old events dated, and hidden ones counted", () => {
    const rows = text({ organizations: [organization(1)], organizations_total: 7 })
    expect(rows).toContain("database: server postgres://db/sov (SOV_DATABASE_URL of .env)")
    expect(rows).toContain("last scan: completed 2026-01-20 (10 days ago), share of voice 39 % · SIMULATED")
    expect(rows).toContain(": and 6 more: sov org list")
    expect(text({})).toContain("organization: none yet: sov init sets one up")
  })

  it("the next run is shown in the schedule's time zone, with the reason if it is blocked", () => {
    const schedule = { cron: "0 7 * * 1", time_zone: "Europe/Berlin", paused: false, overdue: false, attended: true }
    const row = (fields: object) =>
      text({ organizations: [{ ...organization(1), schedule: { ...schedule, ...fields } }] }).at(-3)
    expect(row({ next_run_at: "2026-02-02T06:00:00.000Z" }))
      .toBe("schedule: 0 7 * * 1 in Europe/Berlin, next Mon 2026-02-02 07:00 +01:00")
    expect(row({ next_run_at: "2026-08-03T05:00:00.000Z", overdue: true, attended: false }))
      .toMatch(/next Mon 2026-08-03 07:00 \+02:00 · OVERDUE · NOBODY runs it: sov worker/)
    expect(row({ next_run_at: null, paused: true, attended: false })).toMatch(/Berlin, PAUSED$/)
    expect(row({ next_run_at: null })).toMatch(/no run will ever come$/)
  })

  it("a worker is shown with its own tasks and with those of other workers", () => {
    const worker = (
      pid: number,
      seconds: number,
      doing: ReadonlyArray<string>,
      takenOver: ReadonlyArray<string> = []
    ) => ({
      id: `w${pid}`,
      host: "anvil",
      pid,
      doing,
      taken_over: takenOver,
      started_at: "2026-01-31T11:59:00.000Z",
      // By a clock that is a day ahead
      seen_at: `2026-02-01T12:00:0${seconds}.000Z`
    })
    const workers = [
      worker(1, 1, [], ["mail"]),
      worker(2, 5, ["mail", "sweeper"]),
      worker(3, 4, []),
      worker(4, 2, ["schedule"], ["mail"])
    ]
    const begun = "started 1 min 0 s ago"
    expect(text({ workers }).slice(-4)).toEqual([
      `workers: process 1 on anvil, no heartbeat for 4 s, other workers have taken over, ${begun} (w1)`,
      `: process 2 on anvil, mail, sweeper, ${begun} (w2)`,
      `: process 3 on anvil, idle, ${begun} (w3)`,
      `: process 4 on anvil, schedule, ${begun} (w4)`
    ])
  })

  it.each(
    [
      ["serving", "owner: process 9, started 5 s ago"],
      ["opening", "owner: process 9, which does not answer yet, started 5 s ago"],
      ["held", "owner: none, but process 9 holds the directory"],
      ["none", "owner: was not running; it starts when needed"]
    ] as const
  )("a line describes an owner that is %s", (state, line) => {
    expect(text({ owner: { state, pid: 9, since: "2026-01-31T11:59:55.000Z", message: null } })).toContain(line)
  })
})

describe("a CSV cell", () => {
  it.each(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])(
    "a CSV cell does not begin like a formula: %j",
    (sign) => {
      const cell = `'${sign}1+1`
      expect(csvLine([`${sign}1+1`])).toBe(`${/[\r\n]/.test(sign) ? `"${cell}"` : cell}\r\n`)
    }
  )

  it.each([",", ";", "\t"])("no part of a cell after %j is a formula in a file with another separator", (inner) => {
    for (const separator of ["comma", "semicolon", "tab"] as const) {
      if (csvSeparators[separator] === inner) {
        // The cell is quoted, and an address such as "?q=Berlin,+Germany" stays as it is
        expect(csvLine([`a${inner}+1`], separator)).toBe(`"a${inner}+1"\r\n`)
        continue
      }
      for (const sign of ["=", "+", "-", "@"]) {
        expect(csvLine([`a${inner}${sign}1`, [`b${inner}${sign}2`]], separator)).toContain(`a${inner}'${sign}1`)
      }
    }
    expect(csvLine([[`b;=2`, -1], "a, -1"], "tab")).toBe("\"[\"\"b;'=2\"\",-1]\"\ta, -1\r\n")
  })

  it("a plain cell stays unchanged", () => {
    expect(csvLine(["1+1", " =1", -1, "a,\"b\"", "", null])).toBe("1+1, =1,-1,\"a,\"\"b\"\"\",,\r\n")
  })
})

it("an estimate lists models without a known price, and states what one more view would add", () => {
  const estimate = (platform: PlatformId, costUsd: number | null) => ({ platform, costUsd, basedOn: 0, budget: null })
  const platforms = [{ id: "assistant_a", model: "gpt-x" }, { id: "assistant_b", model: "free-y" }]
  const unknown = [estimate("assistant_a", null), estimate("assistant_b", null)]
  expect(noPriceText(unknown, platforms))
    .toBe("No price known for gpt-x, free-y: set prices in sov.config.json (docs/platforms.md).")
  expect(describeCostOfOneMoreView(unknown, 2, 8)).toBe(
    "One more view would make 4 more calls a scan, at no known price."
  )
  const known = [estimate("assistant_a", 0.5), estimate("assistant_b", 0.25)]
  expect(noPriceText(known, platforms)).toBeNull()
  expect(describeCostOfOneMoreView(known, 3, 12)).toBe("One more view would cost about $0.25 a scan.")
})
