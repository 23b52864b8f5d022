/**
 * A report that was made once stays valid. `page-1.html` is what `sov report --with-answers` made of `sov demo --weeks
 * 2` with page version 1 and measuring rules version 6; because the rules have changed since, its scans are not proven.
 * The later pages use rules version 7. If you change the page, increase `pageVersion` and add a report of the new
 * version.
 */
import { formReport, parseEvidence, type ReportEvidence } from "@sov/core"
import { checkReportFile, describePage, knownStyles, makeReportFile } from "@sov/http/report"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { codeBlocks, readPage } from "../../support/docsPage.ts"
import { readReportFile as read, restatePage } from "../../support/reportFiles.ts"

const { version } = describePage()

it.each(Array.from({ length: version }, (_, n) => n + 1))("a report of page version %i has no faults", (page) => {
  const { problems, samePage } = checkReportFile(read(page))
  expect(samePage).toBe(page === version)
  // With earlier measuring rules each scan is unproven, and nothing else is wrong.
  expect(new Set(problems.map(({ problem, what }) => `${what} ${problem}`))).toEqual(
    new Set(page > 1 ? [] : ["scan unproven"])
  )
})

it("a report of a later page version is not proven, but its figures are compared", () => {
  const other = read(version).replace(/"page":\d+/, "\"page\":999")
  const words = (text: string) => checkReportFile(text).problems.map(({ id, what }) => `${what} ${id}`)
  // The check of the header reports that it is not the original header
  const always = ["line 1", "page version 999"]
  expect(words(other)).toEqual(always)
  expect(words(other.replace("By platform", "Per platform"))).toEqual(always)
  expect(words(other.replace(/(data-figure="platform assistant_b">)\d+/, "$199"))).toEqual([
    ...always,
    "figure platform assistant_b"
  ])
  expect(words(other.replace(/(<strong class="number">)\d+/, "$199"))).toEqual([...always, "figure share of voice"])
  // A figure that occurs twice
  expect(words(other.replace(/<strong class="number">/, "<strong class=\"number\">99</strong>$&"))).toEqual([
    ...always,
    "figure share of voice"
  ])
})

it("later versions know the style of this version", () => {
  expect(knownStyles).toContain(describePage().style)
})

type Mutable<Value> = Value extends Date | string | number | boolean | null | undefined ? Value
  : { -readonly [Name in keyof Value]: Mutable<Value[Name]> }

const honest = parseEvidence(read(version).split("\n").filter((line) => line.startsWith("{\""))).evidence!
const days = 86_400_000
const answersIn = ({ seals }: Mutable<ReportEvidence>) => seals.flatMap(({ answers }) => answers ?? [])
const moveDates = (evidence: Mutable<ReportEvidence>, by: number) => {
  for (const scan of evidence.scans) {
    scan.startedAt = new Date(scan.startedAt.getTime() + by)
    scan.completedAt = new Date(scan.completedAt!.getTime() + by)
  }
}

/**
 * Changes by a forger who rewrites lines and page but keeps the seals, each with the first word of the problem that is
 * found.
 */
const forgeries: ReadonlyArray<
  readonly [
    name: string,
    change: (evidence: Mutable<ReportEvidence>) => void,
    problem: string,
    byProgram: RegExp | null
  ]
> = [
  [
    "unnamed answers left uncounted",
    (evidence) => {
      for (const answer of answersIn(evidence).filter(({ brand }) => brand === false)) {
        delete answer.brand
        delete answer.competitors
      }
    },
    "answer changed",
    /: not counted$/
  ],
  [
    "later rules, and everybody names us",
    (evidence) => {
      for (const { measured } of evidence.scans) measured!.measure_version++
      for (const answer of answersIn(evidence)) {
        answer.brand = true
        delete answer.competitors
      }
    },
    "scan unproven",
    null
  ],
  [
    "earlier rules",
    (evidence) => {
      for (const { measured } of evidence.scans) measured!.measure_version--
    },
    "scan unproven",
    null
  ],
  [
    "simulated answers shown as real ones",
    (evidence) => {
      for (const scan of evidence.scans) scan.simulated = false
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  ["later dates", (evidence) => moveDates(evidence, 90 * days), "scan changed", /^scan .*: changed$/],
  ["earlier dates", (evidence) => moveDates(evidence, -90 * days), "scan changed", /^scan .*: changed$/],
  [
    "reordered scans",
    (evidence) => {
      evidence.scans.reverse()
    },
    "scan changed",
    /^scans: order$/
  ],
  [
    "scans in another order, with each other's dates",
    ({ scans }) => {
      const dates = scans.map(({ completedAt, startedAt }) => ({ completedAt, startedAt }))
      scans.reverse()
      for (const [i, scan] of scans.entries()) Object.assign(scan, dates[i])
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  [
    "the newest scan without its line",
    ({ scans }) => {
      scans.shift()
    },
    "scan removed",
    /^scan .*: missing$/
  ],
  [
    "a scan without a score whose answers are there",
    ({ scans }) => {
      scans.at(-1)!.measured = null
    },
    "scan changed",
    /^scan .*: missing$/
  ],
  [
    "another spelling that a rival is found by",
    ({ sets }) => {
      sets[0]!.competitors[0]!.aliases.push("a strong choice")
    },
    "scan changed",
    /^names 1: changed$/
  ],
  [
    "words beside which a rival's name counts",
    ({ sets }) => {
      sets[0]!.competitors[0]!.context = ["zzzqqq"]
    },
    "scan changed",
    /^names 1: changed$/
  ],
  [
    "a term that no longer counts",
    ({ sets }) => {
      sets[0]!.brand.excludes.push("Brumella Coffee")
    },
    "scan changed",
    /^names 1: changed$/
  ],
  [
    "names that stand there twice",
    ({ sets }) => {
      sets.push({ ...sets[0]!, brand: { ...sets[0]!.brand, aliases: [] } })
    },
    "line added",
    /^names(?: 1: changed|: twice)$/
  ],
  [
    "other questions that failed",
    ({ scans }) => {
      scans[0]!.measured!.failed = { assistant_a: 3 }
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  [
    "a scan said to be cancelled",
    ({ scans }) => {
      scans.at(-1)!.status = "cancelled"
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  [
    "a shortened list of platforms",
    ({ scans }) => {
      scans.at(-1)!.platforms = scans.at(-1)!.platforms.slice(1)
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  [
    "fewer questions than answers",
    ({ scans }) => {
      scans.at(-1)!.cellCount = 1
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  [
    "a question left out of those asked",
    ({ scans }) => {
      scans.at(-1)!.measured!.asked = scans.at(-1)!.measured!.asked.slice(1)
    },
    "scan changed",
    /^scan .*: changed$/
  ],
  [
    "platforms that could name no sources, though sources are sealed",
    (evidence) => {
      for (const { cites } of answersIn(evidence)) {
        if (cites !== undefined) Object.assign(cites, { silent: true, searched: null })
      }
    },
    "answer changed",
    /^answer .*: sources$/
  ],
  [
    "sources left out",
    (evidence) => {
      const isOwn = (at: number) => evidence.sites[at]!.owner === "own"
      for (const answer of answersIn(evidence)) if (answer.cites?.sites.some(isOwn) === false) delete answer.cites
    },
    "answer removed",
    null
  ],
  [
    "reversed searches",
    (evidence) => {
      for (const { cites } of answersIn(evidence)) if (cites !== undefined) cites.searched = cites.searched !== true
    },
    "answer changed",
    /^answer .*: sources$/
  ],
  [
    "sources marked as unread",
    (evidence) => {
      for (const { cites } of answersIn(evidence)) if (cites !== undefined) cites.unread = true
    },
    "answer changed",
    null
  ],
  [
    "a later page",
    ({ header }) => {
      header.page = 999
    },
    "page unproven",
    null
  ],
  [
    "a page before the first version",
    ({ header }) => {
      header.page = 0
    },
    "page unproven",
    null
  ]
]

const forge = (change: (evidence: Mutable<ReportEvidence>) => void) => {
  const evidence = structuredClone(honest) as Mutable<ReportEvidence>
  // The page is made with the current style
  evidence.header.style = describePage().style
  change(evidence)
  const forged = evidence as ReportEvidence
  return makeReportFile(forged, formReport(forged), null)
}

describe("a report with regenerated lines and page", () => {
  it("a report with regenerated lines and page is valid if nothing else was changed", () => {
    expect(checkReportFile(forge(() => undefined)).problems).toEqual([])
  })

  it.each(forgeries)(
    "a forged report is not valid even if its lines and page were regenerated: %s",
    (_, change, problem) => {
      const { problems } = checkReportFile(forge(change))
      expect(problems.map(({ problem, what }) => `${what} ${problem}`)).toContain(problem)
    }
  )

  it("a report with other spaces in its markup is not valid, whatever Unicode version it states", () => {
    const evidence = structuredClone(honest) as Mutable<ReportEvidence>
    evidence.header.style = describePage().style
    evidence.header.icu = "1.0"
    const text = makeReportFile(evidence as ReportEvidence, formReport(evidence as ReportEvidence), null)
    const spaced = text.replace(/>([^<>{}]*\d) ([^<>{}]*)</, ">$1\u00a0$2<")
    expect(spaced).not.toBe(text)
    expect(checkReportFile(spaced).problems).toEqual([])
    for (const tag of ["<meta http-equiv", "<th ", "<circle ", "<svg "]) {
      const bent = text.replace(tag, tag.replace(" ", "\u00a0"))
      expect(bent, tag).not.toBe(text)
      expect(checkReportFile(bent).problems, tag).not.toEqual([])
    }
  })

  it("a regenerated report lists what it does not prove", () => {
    const { notProven, sealedNames } = checkReportFile(forge(() => undefined)).verdict!
    expect(sealedNames.join("\n")).toMatch(/^names of version \d+: \S+ also \S+/)
    const old = checkReportFile(read(1)).verdict!
    expect(old.sealedNames).toEqual([])
    expect(old.notProven.join("\n")).toMatch(/the names of version \d+: \S+/)
    expect(notProven.join("\n")).toMatch(/title, logo/)
    const hidden = forge(({ scans, seals }) => {
      scans[1]!.measured = null
      for (const seal of seals) if (seal.header.scan_id === scans[1]!.id) Object.assign(seal, { answers: null })
    })
    expect(checkReportFile(hidden).verdict!.notProven.join("\n")).toContain("that 1 scan of the trend has no score")
    const dropped = forge(({ scans, seals }) => {
      const [middle] = scans.splice(1, 1)
      for (const seal of seals) if (seal.header.scan_id === middle!.id) Object.assign(seal, { answers: null })
    })
    expect(checkReportFile(dropped).verdict!.notProven.join("\n")).toContain("that the scan of seal 2 does not belong")
    const removed = forge(({ header }) => {
      header.answers = false
    })
    expect(checkReportFile(removed).verdict!.notProven.join("\n")).toContain("whom the answers name")
  })

  it("a regenerated report with a style of its own is not valid", () => {
    const text = read(version)
    const css = "b { display: none }"
    const sha256 = createHash("sha256").update(css).digest()
    const styled = text.replace(/<style>[^]*?<\/style>/, `<style>${css}</style>`)
      .replace(/(style-src 'sha256-)[^']*/, `$1${sha256.toString("base64")}`)
      .replace(honest.header.style, sha256.toString("hex"))
    expect(checkReportFile(restatePage(styled, version)).problems).toMatchObject([
      { what: "page", id: "style", problem: "unproven" }
    ])
  })
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
    const printed = stdout.trim().split("\n")
    expect(printed.pop()).toMatch(/^not checked: /)
    return printed
  }

  it("the program of docs/report.md has under 200 lines and agrees with sov report verify", () => {
    expect(program!.split("\n").length).toBeLessThan(200)
    const { head } = checkReportFile(read(version)).verdict!
    expect(check(read(version))).toEqual([`ok, 40 answers, head ${head!.sequence}:${head!.hash}`])
  })

  it("the program of docs/report.md names changed figures, answers and seals", () => {
    const text = read(version)
    expect(check(text.replace(/(<strong class="number">)\d+/, "$199"))[0]).toMatch(/^headline: the page shows 99,/)
    expect(check(text.replace(/(data-figure="platform assistant_b">)\d+/, "$199"))[0]).toMatch(
      /^platform assistant_b: /
    )
    expect(check(text.replace(/(data-figure="competitor [^"]*">)\d+/, "$199"))[0]).toMatch(/^competitor /)
    expect(check(text.replace(/("raw_response":".)./, "$1~"))[0]).toMatch(/^answer [0-9a-f-]{36}: changed$/)
    expect(check(text.replace(/^\{"answer".*\n/m, ""))).toContain("seal 1: leaves")
    expect(check(text.replace(/("sealed_at":"202)./, "$10"))[0]).toBe("seal 1: hash")
  })

  it.each(forgeries.filter(([, , , said]) => said !== null))(
    "the program of docs/report.md names the forged part: %s",
    (_, change, __, said) => {
      const lines = check(forge(change))
      expect(lines.filter((line) => !said!.test(line))).toEqual([])
    }
  )
})
