/**
 * The dashboard shows Free organizations seven days: it reads through use cases that take a window as an argument. Those that
 * read history without one belong to the API, whose plans see everything, and to the command, whose operator does.
 */
import * as core from "@sov/core"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "./plantedTree.ts"

/** Each with what the dashboard asks instead. What reads one scan is asked after findShownScan has let that scan through. */
const unwindowed = {
  countAnswers: "readArchive",
  findScan: "findShownScan",
  listScans: "listScanRows",
  readAnswerOrigin: "readAnswerDetail",
  readAnswerSources: "readAnswerDetail",
  readArchiveStats: "readArchive",
  readCitedDomains: "readSources",
  readCurrentScore: "readOverview",
  readScan: "readScanDetail",
  readScoreHistory: "readOverview",
  readVisibility: "readOverview",
  scansInTrend: "readOverview"
} as const

const namesImported = (code: string): ReadonlyArray<string> =>
  [...code.matchAll(/import (?!type)\{([^}]*)\} from "@sov\/core"/g)]
    .flatMap(([, names]) => names!.split(","))
    .map((name) => name.trim().split(" as ")[0]!)

it("names use cases that there are", () => {
  for (const [name, instead] of Object.entries(unwindowed)) {
    expect([typeof Reflect.get(core, name), typeof Reflect.get(core, instead)]).toEqual(["function", "function"])
  }
})

it("are not asked by the dashboard", () => {
  expect(namesImported("import { type Scan, listScans as all } from \"@sov/core\"")).toContain("listScans")
  const found = globSync("packages/http/src/dashboard/**/*.ts", { cwd: root }).flatMap((file) =>
    namesImported(readFileSync(join(root, file), "utf8"))
      .filter((name) => name in unwindowed)
      .map((name) => `${file}: ${name}, use ${unwindowed[name as keyof typeof unwindowed]}`)
  )
  expect(found).toEqual([])
})
