/**
 * A report that was made once stays good. `page-1.html` is what `sov report --with-answers` made of `sov demo --weeks 2` when pages
 * were of version 1. Who changes the page counts `pageVersion` up, and puts a report of the new version beside it.
 */
import { checkReportFile, describePage } from "@sov/http/report"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { codeBlocks, readPage } from "../../support/docsPage.ts"

const read = (page: number) =>
  readFileSync(new URL(`../../fixtures/reports/page-${page}.html`, import.meta.url), "utf8")
const { version } = describePage()

it.each(Array.from({ length: version }, (_, n) => n + 1))("a report of page version %i is valid", (page) => {
  expect(checkReportFile(read(page))).toMatchObject({ problems: [], samePage: page === version })
})

it("a report of another page version is compared by its figures", () => {
  const other = read(1).replace(/"page":\d+/, "\"page\":999")
  const words = (text: string) => checkReportFile(text).problems.map(({ id, what }) => `${what} ${id}`)
  // The header's own check tells that it is not the one that was written
  expect(words(other)).toEqual(["line 1"])
  expect(words(other.replace("By platform", "Per platform"))).toEqual(["line 1"])
  expect(words(other.replace(/(data-figure="platform assistant_b">)\d+/, "$199"))).toEqual([
    "line 1",
    "figure platform assistant_b"
  ])
  expect(words(other.replace(/(<strong class="number">)\d+/, "$199"))).toEqual(["line 1", "figure share of voice"])
})

describe("the program of docs/report.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "sov-report-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const [program] = codeBlocks(readPage("docs/report.md"), "js")
  writeFileSync(join(folder, "check.mjs"), program!)
  const check = (text: string) => {
    writeFileSync(join(folder, "report.html"), text)
    const { stderr, stdout } = spawnSync(process.execPath, ["check.mjs", "report.html"], {
      cwd: folder,
      encoding: "utf8"
    })
    expect(stderr).toBe("")
    return stdout.trim().split("\n")
  }

  it("has under 150 lines, and agrees with sov report verify", () => {
    expect(program!.split("\n").length).toBeLessThan(150)
    const { head } = checkReportFile(read(version)).verdict!
    expect(check(read(version))).toEqual([`ok, 40 answers, head ${head!.sequence}:${head!.hash}`])
  })

  it("names changed figures, answers and seals", () => {
    const text = read(version)
    expect(check(text.replace(/(<strong class="number">)\d+/, "$199"))[0]).toMatch(/^headline: the page shows 99 /)
    expect(check(text.replace(/(data-figure="platform assistant_b">)\d+/, "$199"))[0]).toMatch(
      /^platform assistant_b: /
    )
    expect(check(text.replace(/(data-figure="competitor [^"]*">)\d+/, "$199"))[0]).toMatch(/^competitor /)
    expect(check(text.replace(/("raw_response":".)./, "$1~"))[0]).toMatch(/^answer [0-9a-f-]{36}: changed$/)
    expect(check(text.replace(/^\{"answer".*\n/m, ""))).toContain("seal 1: leaves")
    expect(check(text.replace(/("sealed_at":"202)./, "$10"))[0]).toBe("seal 1: hash")
  })
})
