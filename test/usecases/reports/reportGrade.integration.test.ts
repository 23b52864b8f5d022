/** The grade of the evidence in a report: that of the page if the scans are the same, and named where it was changed. */
import {
  formEvidence,
  formReport,
  gradeEvidence,
  KeywordStore,
  listNotProven,
  maxEvidenceScans,
  readRecentAnswers,
  readReport,
  type ReportEvidence,
  tagKeywords,
  wholeHistory
} from "@sov/core"
import { at } from "@sov/core/testing"
import { checkReportFile, makeReportFile } from "@sov/http/report"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { day, scanAt, seedTopics, usual } from "../../support/experiments.ts"
import { oneHome } from "../../support/homes.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const request = { ...reportRequest, from: at(0) }

const seed = Effect.gen(function*() {
  const id = yield* seedTopics(18)
  for (const one of [5, 12, 19]) yield* scanAt(id, one * day, usual)
  const keywords = (yield* (yield* KeywordStore).list(id, ["active"])).map((one) => one.id)
  yield* tagKeywords(id, keywords.slice(0, 9), ["compare"])
  yield* tagKeywords(id, keywords.slice(9, 12), ["buy"])
  const { facts } = formEvidence(yield* readRecentAnswers(id, wholeHistory, maxEvidenceScans), null)
  return { facts, ...yield* readReport({ id, name: "Acme" }, wholeHistory, request) }
})

let made: Effect.Success<typeof seed>
let text: string
beforeAll(async () => {
  made = await storage.run(seed)
  text = makeReportFile(made.evidence, made.figures, null)
})

const problems = (file: string) =>
  checkReportFile(file).problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`)

it("a report's evidence equals that of the page, and the check counts the same from the file", () => {
  expect(made.figures.evidence).toEqual(made.facts)
  expect(formReport(made.evidence).evidence).toEqual(made.facts)
  expect(made.facts.values).toMatchObject({ questions: 18, kinds: 1, repeats: 3, cadence: 3 })
  expect(text).toContain(`data-figure="evidence">${gradeEvidence(made.facts)}<`)
  expect(problems(text)).toEqual([])
})

it.each([
  ["the grade", /(data-figure="evidence">)[^<]+/, "$1decision-grade"],
  ["a criterion", /(data-figure="evidence questions">)\d+/, "$199"],
  ["its sentence", "Exploratory: ", "Decision-grade: "]
])("a report is refused with %s of its evidence changed on the page", (_, from, to) => {
  const forged = text.replace(from, to)
  expect(forged).not.toBe(text)
  expect(problems(forged).join()).toMatch(/^figure Evidence.* changed/)
})

it("a report that claims more kinds of question than its tags show is valid, but lists their number as not proven", () => {
  const forged: ReportEvidence = { ...made.evidence, header: { ...made.evidence.header, kinds: 3 } }
  expect(problems(makeReportFile(forged, formReport(forged), null))).toEqual([])
  expect(listNotProven(forged).map(({ text }) => text)).toContain(
    "how many kinds of question there are (3), which tags decide"
  )
})

it("a report with fabricated answers is refused, even if its grade matches its evidence", () => {
  const forged = structuredClone(made.evidence) as { -readonly [K in keyof ReportEvidence]: ReportEvidence[K] }
  forged.seals = forged.seals.map((seal) => ({ ...seal, answers: [...seal.answers ?? [], ...seal.answers ?? []] }))
  expect(formReport(forged).evidence!.values.repeats).toBe(6)
  expect(problems(makeReportFile(forged, formReport(forged), null)).join()).toMatch(/seal \d+ changed/)
})
