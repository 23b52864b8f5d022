/** Next actions in a report: formed of the report's own answers, the others only stated; forgeries are named. */
import {
  editBusinessCard,
  formReport,
  listNotProven,
  markAction,
  readActions,
  readReport,
  type ReportEvidence,
  wholeHistory
} from "@sov/core"
import { at } from "@sov/core/testing"
import { checkReportFile, makeReportFile } from "@sov/http/report"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { typedFact } from "../../support/businessCards.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { oneHome } from "../../support/homes.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const request = { ...reportRequest, from: at(0) }

const readNow = (id: Parameters<typeof readActions>[0], answers = false) =>
  readReport({ id, name: "Acme" }, wholeHistory, { ...request, answers })

/** Eight scans in which Globex leads one question, and answers contradict the year of the card. */
const seedLed = Effect.gen(function*() {
  const id = yield* seed
  const { value } = typedFact("founding_date", ["1998"], new Date(0))
  yield* editBusinessCard(id, [{ field: "founding_date", value, source: "x", updatedAt: null }], { source: "x" })
  yield* Effect.forEach(
    [0, 100, 200, 300, 400, 500, 600, 700],
    (seconds) =>
      scanWith(id, seconds, (n) => n === 0 ? "Globex leads." : "Acme Forge was founded in 1950. Globex is another."),
    { discard: true }
  )
  return id
})

const problemsOf = (text: string) =>
  checkReportFile(text).problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`)
const remake = (evidence: ReportEvidence) => makeReportFile(evidence, formReport(evidence), null)
const lead = "Catch up with Globex on “best anvil for workshop 0?”"
const row = /<tr><th scope="row">Catch up[^]*?<\/tr>\n/

describe("a report with actions", () => {
  let honest: ReportEvidence
  let text: string
  let withTexts: ReportEvidence
  let decided: ReportEvidence
  beforeAll(() =>
    storage.run(Effect.gen(function*() {
      const id = yield* seedLed
      const { evidence, figures } = yield* readNow(id)
      honest = evidence
      withTexts = (yield* readNow(id, true)).evidence
      text = makeReportFile(evidence, figures, null)
      const rival = (yield* readActions(id, wholeHistory)).actions.find(({ rule }) => rule === "rival_leads")!
      yield* markAction(id, rival.id, "dismissed")
      decided = (yield* readNow(id)).evidence
    }))
  )

  it("a report proves the actions that follow from its answers, and states the others as not verifiable", () => {
    const next = formReport(honest).next!
    expect(next.found).toMatchObject([{ title: lead, answers: 16 }])
    expect(next.stated).toMatchObject([{ title: "Correct what answers say about founding_date" }])
    expect(text).toMatch(/Correct what answers say about founding_date[^]*?not verifiable/)
    expect(problemsOf(text)).toEqual([])
    expect(listNotProven(honest).map((one) => one.text)).toContain(
      "the action “Correct what answers say about founding_date”"
    )
  })

  it.each<readonly [string, (page: string) => string, string]>([
    [
      "removed",
      (page) => page.replace(row, ""),
      "figure Next: Catch up with Globex on “best anvil for workshop 0?” On ever removed"
    ],
    [
      "added",
      (page) => page.replace(row, (found) => found + found.replace("Globex", "Initech")),
      "figure Next: Correct what answers say about founding_date"
    ],
    [
      "renamed",
      (page) => page.replace(/(<th scope="row">Catch up with )Globex/, "$1Initech"),
      "figure Next: Catch up with Globex"
    ],
    ["counted higher", (page) => page.replace(/(data-figure="action [^"]+">)16/, "$199"), "figure Next"],
    [
      "said to be verified",
      (page) =>
        page.replace("not verifiable: its evidence is not in this report", "follows from the answers of this report"),
      "figure Next"
    ]
  ])("a report on whose page an action is %s is refused, and the place is reported", (_, forge, problem) => {
    const forged = forge(text)
    expect(forged).not.toBe(text)
    expect(problemsOf(forged).join("\n")).toContain(problem)
  })

  it("a report whose answers were changed so that an action appears or disappears is refused", () => {
    for (const brand of [true, false]) {
      const forged = structuredClone(withTexts) as unknown as {
        seals: Array<{ answers: Array<{ brand?: boolean; keyword: number }> }>
      }
      for (const { answers } of forged.seals) {
        for (const one of answers ?? []) if (one.brand === !brand) one.brand = brand
      }
      const file = remake(forged as unknown as ReportEvidence)
      expect(file.includes(`>${lead}`)).toBe(!brand)
      expect(problemsOf(file).join("\n")).toMatch(/answer \S+ changed/)
    }
  })

  it("an action that the organization has decided about is left out, and both page and check mention it", () => {
    expect(formReport(decided).next).toMatchObject({ found: [], decided: 1 })
    const file = remake(decided)
    expect(file).toContain("1 action that the organization has decided about is left out.")
    expect(problemsOf(file)).toEqual([])
    expect(checkReportFile(file).verdict?.notProven).toContain(
      "about which actions the organization has decided (1)"
    )
  })

  it("an invented action is shown as not verifiable, and listed as not proven", () => {
    const invented = { id: "0123456789ab", title: "Buy our service", why: "Trust us." }
    const forged: ReportEvidence = {
      ...honest,
      header: { ...honest.header, next: { decided: [], stated: [invented] } }
    }
    const file = remake(forged)
    expect(file).toMatch(/Buy our service[^]*?not verifiable: its evidence is not in this report/)
    expect(checkReportFile(file).verdict?.notProven).toContain("the action “Buy our service”")
  })
})
