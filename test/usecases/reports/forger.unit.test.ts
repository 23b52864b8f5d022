/**
 * A forger changes any field of a report's evidence, and makes lines and page again with the product's own maker. A
 * change that moves anything on the page is named by the check, or is of a field that the check lists as not proven.
 * `SOV_LONG_TESTS=1` tries 2,000 random pairs of changes, and 2,000 random changes of a byte.
 */
import {
  classifyFields,
  evidenceClasses,
  formReport,
  listNotProven,
  parseEvidence,
  type ReportEvidence
} from "@sov/core"
import { checkReportFile, describePage, makeReportFile } from "@sov/http/report"
import { createHash, hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { compileFunction } from "node:vm"
import { describe, expect, it } from "vitest"
import { codeBlocks, readPage } from "../../support/docsPage.ts"
import { seededRandom } from "../../support/seededRandom.ts"

type Json = null | boolean | number | string | Array<Json> | { [name: string]: Json }
type Members = { [name: string]: Json }
type Line = { [kind: string]: Members }
type Kind = keyof typeof evidenceClasses
type CheckedReport = ReturnType<typeof checkReportFile>

const readLines = (file: string) =>
  readFileSync(new URL(`../../fixtures/reports/${file}`, import.meta.url), "utf8").split("\n")
    .filter((line) => line.startsWith("{\"")).slice(0, -1)

const checksOf = (lines: ReadonlyArray<string>) =>
  JSON.stringify({ checks: lines.map((line) => hash("sha256", line, "hex").slice(0, 8)) })

/** The evidence of these lines; null if they are no evidence, so no page can be made of them. */
const evidenceOf = (lines: ReadonlyArray<Line>): ReportEvidence | null => {
  const written = lines.map((line) =>
    JSON.stringify(line).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
  )
  const { evidence, faults } = parseEvidence([...written, checksOf(written)])
  return faults.length > 0 ? null : evidence
}

/** The page that a reader sees: all before the evidence. */
const pageOf = (text: string): string => text.slice(0, text.indexOf("<pre hidden"))

const forge = (lines: ReadonlyArray<Line>): string | null => {
  const evidence = evidenceOf(lines)
  if (evidence === null) return null
  try {
    return makeReportFile(evidence, formReport(evidence), null)
  } catch {
    return null
  }
}

const kindOf = (line: Line): string => Object.keys(line)[0]!

/** A field of one line. */
interface Place {
  readonly at: number
  readonly kind: Kind
  /** The members that hold it. */
  readonly of: (lines: ReadonlyArray<Line>) => Members | undefined
  readonly name: string
}

const nested: Readonly<Record<string, Kind>> = {
  "report.next": "next",
  "scan.measured": "measured",
  "answer.cites": "cites"
}

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Every field that a line has or may have, those of its parts too. */
const placesOf = (line: Line, at: number): ReadonlyArray<Place> => {
  const kind = kindOf(line) as Kind
  return Object.keys(evidenceClasses[kind]).flatMap((name) => {
    const own: Place = { at, kind, name, of: (lines) => lines[at]?.[kind] }
    const part = nested[`${kind}.${name}`]
    if (part === undefined || !isMembers(line[kind]![name])) return [own]
    const within = (lines: ReadonlyArray<Line>) => {
      const found = lines[at]?.[kind]?.[name]
      return isMembers(found) ? found : undefined
    }
    return [own, ...Object.keys(evidenceClasses[part]).map((inner) => ({ at, kind: part, name: inner, of: within }))]
  })
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text)

/** Another value of the same type. */
const otherValue = (value: Json | undefined, random: () => number): Json => {
  if (value === undefined || value === null) return [true, 0, 1, "x", [], [0]][Math.floor(random() * 6)]!
  if (typeof value === "boolean") return !value
  if (typeof value === "number") return [value + 1, value - 1, 0, 99][Math.floor(random() * 4)]!
  if (typeof value === "string") {
    if (isTime(value)) return new Date(Date.parse(value) + (random() - 0.5) * 4e9).toISOString()
    const words = ["completed", "cancelled", "failed", "own", "other", "assistant_a", "Acme"]
    return random() < 0.5 ? words[Math.floor(random() * words.length)]! : `${value.slice(0, -1)}7`
  }
  if (Array.isArray(value)) return value.slice(0, Math.floor(random() * value.length))
  const names = Object.keys(value)
  if (names.length === 0) return { x: 1 }
  const name = names[Math.floor(random() * names.length)]!
  return { ...value, [name]: otherValue(value[name], random) }
}

const kinds = ["removal", "null", "other value", "swap", "reorder", "duplicate", "stranger", "foreign"] as const

/** The report of another organization, whose scans are newer or older than these. */
const foreign = readLines("page-1.html").map((line) => JSON.parse(line) as Line)
const foreignByField = Map.groupBy(
  foreign.flatMap((line, at) => placesOf(line, at)),
  ({ kind, name }) => `${kind}.${name}`
)

/** Changes the lines, unless this kind of change does nothing there. */
const change = (
  lines: Array<Line>,
  place: Place,
  kind: typeof kinds[number],
  others: ReadonlyArray<Place>,
  random: () => number
): void => {
  const { name, of } = place
  const members = of(lines)
  if (members === undefined) return
  const value = members[name]
  const strangers = foreignByField.get(`${place.kind}.${name}`) ?? []
  const other = kind === "foreign"
    ? strangers[Math.floor(random() * strangers.length)]?.of(foreign)
    : others[Math.floor(random() * others.length)]?.of(lines)
  if (kind === "removal") delete members[name]
  else if (kind === "null") members[name] = null
  else if (kind === "other value") members[name] = otherValue(value, random)
  else if (kind === "reorder") { if (Array.isArray(value)) value.reverse() }
  else if (kind === "duplicate") { if (Array.isArray(value)) value.push(...structuredClone(value.slice(0, 1))) }
  else if (other !== undefined) {
    // As in another line of the file: another scan, question, seal or answer
    if (other[name] === undefined) delete members[name]
    else members[name] = structuredClone(other[name])
    if (kind === "swap") {
      if (value === undefined) delete other[name]
      else other[name] = value
    }
  }
}

const lineChanges = ["removal", "duplicate", "swap", "foreign", "foreign and kept"] as const

/** Changes of whole lines: one is removed, stands there twice, changes places, or comes from another organization. */
const changeLine = (lines: Array<Line>, at: number, kind: typeof lineChanges[number], random: () => number) => {
  const line = lines[at]!
  const strangers = foreign.filter((one) => kindOf(one) === kindOf(line))
  const stranger = structuredClone(strangers[Math.floor(random() * strangers.length)]!)
  if (kind === "removal") lines.splice(at, 1)
  else if (kind === "duplicate") lines.splice(at, 0, structuredClone(line))
  else if (kind === "foreign") lines[at] = stranger
  else if (kind === "foreign and kept") lines.splice(at, 0, stranger)
  else {
    const alike = lines.flatMap((one, i) => kindOf(one) === kindOf(line) && i !== at ? [i] : [])
    const to = alike[Math.floor(random() * alike.length)]
    if (to === undefined) return
    lines[at] = lines[to]!
    lines[to] = line
  }
}

/** The lines of these kinds that belong to a scan, the newest being 0; an answer stands behind its scan's seal. */
const partsOf = (lines: ReadonlyArray<Line>, n: number, parts: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const scanId = lines.flatMap(({ scan }) => scan === undefined ? [] : [scan["id"]])[n]
  let sealed: Json | undefined
  return lines.filter((line) => {
    if (line["seal"] !== undefined) sealed = line["seal"]["scan_id"]
    const kind = kindOf(line)
    const ofScan = kind === "scan" ? line["scan"]!["id"] === scanId : kind === "keyword" || kind === "tracked_set" ||
      sealed === scanId
    return ofScan && parts.includes(kind)
  })
}

const tryAll = process.env["SOV_LONG_TESTS"] !== undefined
const randomChanges = tryAll ? 2000 : 40

const { version } = describePage()
const honest = readLines(`page-${version}.html`).map((line) => JSON.parse(line) as Line)
honest[0]!.report!.style = describePage().style

/** The same report without texts. */
const honestBare = structuredClone(honest)
for (const { answer, report } of honestBare) {
  if (report !== undefined) report["answers"] = false
  if (answer !== undefined) delete answer["sealed"]
}

const places = honest.flatMap((line, at) => placesOf(line, at))
const byField = Map.groupBy(places, ({ kind, name }) => `${kind}.${name}`)

/** Figures, marks and sentences of the page, without the list of what is not proven. */
const saidOf = (page: string): string =>
  page.replace(/<p>Not proven:<\/p>\n<ul>[^]*?<\/ul>/, "").replace(/<style>[^]*?<\/style>/, "")

/** Why the check, or the program where the check names the file, passes it; null where no reader is misled. */
const findPassed = (
  said: string,
  text: string | null,
  changed: ReadonlyArray<Place>,
  ofProgram = changed
): string | null => {
  if (text === null || saidOf(pageOf(text)) === said) return null
  const checked = checkReportFile(text)
  return checked.problems.length > 0 ? findMissed(text, checked, ofProgram) : findSilence(checked, changed)
}

/** Why a file without a problem passes though its page says something else; null where its fields are named. */
const findSilence = ({ evidence }: CheckedReport, changed: ReadonlyArray<Place>): string | null => {
  const topics = new Set(listNotProven(evidence!).map(({ topic }) => topic))
  const classes = new Map(classifyFields(evidence!).map(([line, field, found]) => [`${line}.${field}`, found]))
  const unnamed = changed.filter(({ kind, name }) => {
    const found = classes.get(`${kind}.${name}`)!
    return typeof found === "string" || !topics.has(found.unproven)
  })
  // A pair is named where one of its fields is: the reader does not trust the other either
  return changed.length > 0 && unnamed.length < changed.length
    ? null
    : `the page differs, and nothing is said of ${unnamed.map(({ kind, name }) => `${kind}.${name}`).join(", ")}`
}

const [source] = codeBlocks(readPage("docs/report.md"), "js")
const program = compileFunction(source!.replace(/^import .*$/gm, ""), [
  "createHash",
  "readFileSync",
  "process",
  "console"
])

/** What the program of docs/report.md, which has none of sov's code, prints of a file. */
const printOf = (text: string): string => {
  const printed: Array<string> = []
  const given = { argv: ["node", "check.mjs", "report.html"], exitCode: 0 }
  program(createHash, () => text, given, { log: (line: string) => printed.push(line) })
  return printed.join("\n")
}

/** What the program does not check: it has no rules of measuring, misses no source, and draws no course. */
const unread = new Set([
  "answer.brand",
  "answer.competitors",
  "answer.cites",
  "cites.sites",
  "measured.measure_version"
])

const notOfProgram =
  /^its text names|^what it cites|^it was measured with rules|^it is not the one that the report was made with/

/** Why the program passes a forged file that the check names; null where it names it, too. */
const findMissed = (text: string, checked: CheckedReport, changed: ReadonlyArray<Place>): string | null => {
  if (changed.length > 0 && changed.every(({ kind, name }) => unread.has(`${kind}.${name}`))) return null
  const problems = checked.problems.filter(({ detail }) => !notOfProgram.test(detail))
  if (problems.length === 0) return null
  const printed = printOf(text)
  return printed.startsWith("ok") ? `the program passes what the check names: ${problems[0]!.detail}` : null
}

it("the check of a report made by the forger finds each random change of one byte", () => {
  const bytes = Buffer.from(forge(honest)!)
  const random = seededRandom(2000)
  const silent: Array<string> = []
  for (let n = 0; n < randomChanges; n++) {
    const at = Math.floor(random() * bytes.length)
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at]! + 1 + Math.floor(random() * 255)) % 256
    if (checkReportFile(changed.toString()).problems.length > 0) continue
    silent.push(`byte ${at}: ${changed.subarray(Math.max(0, at - 20), at + 20).toString()}`)
  }
  expect(silent).toEqual([])
}, 3_600_000)

describe.each([["with", honest], ["without", honestBare]] as const)("a forged report %s answers", (_, honest) => {
  const made = forge(honest)!
  const said = saidOf(pageOf(made))

  it("the forger's report is valid if the forger changed nothing", () => {
    expect(checkReportFile(made).problems).toEqual([])
    expect(printOf(made)).toMatch(/^ok, /)
  })

  it.each([...byField.keys()])("a forged report is detected for each change of %s", (field) => {
    const random = seededRandom(field.length + 33)
    const own = byField.get(field)!
    const silent: Array<string> = []
    for (const [n, kind] of kinds.entries()) {
      // The newest scan's lines, the oldest's, and one between; each kind of change on one of them
      const all = [own[0]!, own[Math.floor(own.length / 2)]!, own.at(-1)!]
      for (const place of tryAll ? new Set(all) : [all[n % all.length]!]) {
        const lines = structuredClone(honest)
        change(lines, place, kind, own.filter((one) => one !== place), random)
        const text = forge(lines)
        const found = findPassed(said, text, [place])
        if (found !== null) silent.push(`${kind}: ${found}`)
      }
    }
    expect(silent).toEqual([])
  }, 120_000)

  it("a forged report is detected for each line that is removed, doubled, moved or of another organization", () => {
    const random = seededRandom(1)
    const silent: Array<string> = []
    const at = new Set(
      [...Map.groupBy(honest.keys(), (i) => kindOf(honest[i]!)).values()].flatMap((all) =>
        tryAll ? [all[0]!, all[Math.floor(all.length / 2)]!, all.at(-1)!] : [all.at(-1)!]
      )
    )
    for (const i of at) {
      for (const kind of lineChanges) {
        const lines = structuredClone(honest)
        changeLine(lines, i, kind, random)
        const text = forge(lines)
        const moved = kind === "swap" || kind.startsWith("foreign") ? placesOf(lines[i]!, i) : []
        const found = findPassed(said, text, moved, [])
        if (found !== null) silent.push(`${kindOf(honest[i]!)} line ${i}, ${kind}: ${found}`)
      }
    }
    expect(silent).toEqual([])
  }, 120_000)

  it("a forged report is detected for each scan of another organization, with its seal and its answers", () => {
    const silent: Array<string> = []
    for (const n of [0, 1, 2]) {
      for (const parts of [["scan", "seal", "answer"], ["seal", "answer"], ["answer"], ["tracked_set", "keyword"]]) {
        const lines = structuredClone(honest)
        const strange = structuredClone(partsOf(foreign, n, parts))
        for (const [i, line] of partsOf(lines, n, parts).entries()) lines[lines.indexOf(line)] = strange[i]!
        const text = forge(lines)
        const found = findPassed(said, text, [])
        if (found !== null) silent.push(`${parts.join(" and ")} of scan ${n}: ${found}`)
      }
    }
    expect(silent).toEqual([])
  }, 120_000)

  it("a forged report is detected for random pairs of changes", () => {
    const random = seededRandom(33)
    const fields = [...byField.values()]
    const silent: Array<string> = []
    let named = 0
    const pick = <Value>(values: ReadonlyArray<Value>): Value => values[Math.floor(random() * values.length)]!
    // No page can be made of many pairs: others take their place
    for (let n = 0, pages = 0; pages < randomChanges; n++) {
      const pair = [pick(fields), pick(fields)].map((own) => ({ own, place: pick(own), kind: pick(kinds) }))
      const lines = structuredClone(honest)
      for (const { kind, own, place } of pair) change(lines, place, kind, own, random)
      const text = forge(lines)
      if (text === null) continue
      pages++
      const changed = pair.map(({ place }) => place)
      const found = findPassed(said, text, changed)
      if (saidOf(pageOf(text)) !== said && found === null) named++
      if (found !== null) silent.push(`${n}, ${pair.map(({ kind }) => kind).join(" and ")}: ${found}`)
    }
    expect(silent).toEqual([])
    expect(named).toBeGreaterThan(randomChanges / 8)
  }, 3_600_000)
})
