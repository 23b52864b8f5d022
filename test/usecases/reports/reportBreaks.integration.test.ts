/** A report across a change of model. */
import { formReport, readReport, type ReportEvidence, wholeHistory } from "@sov/core"
import { checkReportFile, makeReportFile } from "@sov/http/report"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { openStorage } from "../../support/storage.ts"

const { close, run } = openStorage(oneHome[0]!)
afterAll(close)

const request = { ...reportRequest, answers: true }

const problemsOf = (text: string) =>
  checkReportFile(text).problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`)

it("a report across a change of model has no trend, states the reason, and is valid; its models are the sealed ones", () =>
  run(Effect.gen(function*() {
    const id = yield* seed
    for (const [i, model] of ["old", "old", "new"].entries()) {
      yield* scanWith(id, 100 * i, () => "Acme Forge and Globex.", { model })
    }
    const { evidence, figures } = yield* readReport({ id, name: "Acme" }, wholeHistory, request)
    const text = makeReportFile(evidence, figures, null)
    const { movements } = figures.standing.report
    expect([movements.comparison!.trend, movements.next]).toEqual([null, null])
    expect(figures.standing.trend.map(({ breaks }) => breaks.length)).toEqual([0, 0, 2])
    expect(text).toContain("assistant_a is not compared: model changed from old to new.")
    expect(text).toContain("<td>assistant_a: model changed from old to new; assistant_b")
    expect(problemsOf(text)).toEqual([])
    const renamed: ReportEvidence = {
      ...evidence,
      seals: evidence.seals.map((seal) => ({
        ...seal,
        answers: seal.answers?.map((one) => ({ ...one, model: "old" })) ?? null
      }))
    }
    expect(problemsOf(makeReportFile(renamed, formReport(renamed), null))).toContainEqual(
      expect.stringMatching(/^answer .+ changed$/)
    )
  })))

it("a report across a change of market states why it does not compare, and a report that hides the change is detected", () =>
  run(Effect.gen(function*() {
    const id = yield* seed
    const [german, austrian] = ["DE", "AT"].map((country) => ({ country, language: "de" }))
    for (const [i, market] of [german!, german!, austrian!].entries()) {
      yield* scanWith(id, 100 * i, () => "Acme Forge and Globex.", { market })
    }
    const { evidence, figures } = yield* readReport({ id, name: "Acme" }, wholeHistory, request)
    const text = makeReportFile(evidence, figures, null)
    expect(figures.standing.trend.map(({ breaks }) => breaks.length)).toEqual([0, 0, 1])
    expect(text).toContain("assistant_a is not compared: market changed from DE, de to AT, de.")
    expect(problemsOf(text)).toEqual([])
    const hidden: ReportEvidence = {
      ...evidence,
      seals: evidence.seals.map((seal) => ({
        ...seal,
        answers: seal.answers?.map((one) => ({ ...one, market: german! })) ?? null
      }))
    }
    expect(problemsOf(makeReportFile(hidden, formReport(hidden), null))).toContainEqual(
      expect.stringMatching(/^answer .+ changed$/)
    )
  })))
