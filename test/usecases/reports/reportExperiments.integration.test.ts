/** Experiments in a report: the result is formed of the report's own answers, and what a forger changes is named. */
import {
  completeScan,
  experimentDetailJson,
  formReport,
  listExperiments,
  readExperiment,
  readReport,
  type ReportEvidence,
  stopExperiment,
  wholeHistory
} from "@sov/core"
import { at } from "@sov/core/testing"
import { checkReportFile, makeReportFile } from "@sov/http/report"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answeredScan } from "../../support/completedScans.ts"
import { atTime, day, plan, planOptions, scanAt, sealPlan, seedTopics, usual } from "../../support/experiments.ts"
import { oneHome } from "../../support/homes.ts"
import { reportRequest } from "../../support/reportRequest.ts"
import { openStorage } from "../../support/storage.ts"

const storage = openStorage(oneHome[0]!)
afterAll(storage.close)

const request = { ...reportRequest, from: at(0) }

/** A planned experiment whose treated topics rise, with scans up to these days. */
const seedUntil = Effect.fnUntraced(function*(days: ReadonlyArray<number>) {
  const organizationId = yield* seedTopics(18)
  const id = yield* plan(organizationId)
  const treated = new Set((yield* listExperiments(organizationId))[0]!.plan.pairs.flatMap((pair) => pair.treated))
  for (const one of days) {
    yield* scanAt(organizationId, one * day, (keyword, n) => treated.has(keyword) || usual(keyword, n))
  }
  return { organizationId, id }
})

const readAt = (organizationId: Parameters<typeof readExperiment>[0], days: number) =>
  atTime(days * day, readReport({ id: organizationId, name: "Acme" }, wholeHistory, request))

type Mutable<Value> = Value extends Date | string | number | boolean | null | undefined ? Value
  : { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
type Evidence = Mutable<ReportEvidence>

const sealOf = ({ seals }: Evidence) =>
  seals.find(({ header: { facts } }) => facts !== undefined && "experiment" in facts)!
const planOf = (evidence: Evidence) => {
  const { facts } = sealOf(evidence).header
  if (facts === undefined || !("experiment" in facts)) throw new Error("no plan")
  return facts.experiment as Mutable<typeof facts.experiment>
}

const words = (text: string) =>
  checkReportFile(text).problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`)
const forge = (evidence: ReportEvidence) => makeReportFile(evidence, formReport(evidence), null)

describe("a report of an experiment that has ended", () => {
  let honest: ReportEvidence
  let text: string
  let other: ReportEvidence
  let detail: ReturnType<typeof experimentDetailJson>
  beforeAll(() =>
    storage.run(Effect.gen(function*() {
      const { id, organizationId } = yield* seedUntil([30, 36, 42, 50])
      const { evidence, figures } = yield* readAt(organizationId, 51)
      honest = evidence
      text = makeReportFile(evidence, figures, null)
      detail = experimentDetailJson(yield* atTime(51 * day, readExperiment(organizationId, id)))
      other = (yield* readAt((yield* seedUntil([30, 36, 42, 50])).organizationId, 51)).evidence
    }))
  )

  it("the days of a plan are also the same west of UTC", () => {
    const header = { ...honest.header, time_zone: "America/New_York" }
    const days = (page: string) => /from \d+ \w+ \d+ until \d+ \w+ \d+; sealed/.exec(page)?.[0]
    expect(days(text)).toBeDefined()
    expect(days(forge({ ...honest, header }))).toBe(days(text))
  })

  it("a report of an experiment that has ended shows the same result as its page, and has no fault", () => {
    const [reported] = formReport(honest).experiments
    expect(reported).toMatchObject({ without: null, scans: { before: 4, after: 3 }, result: { verdict: "rise" } })
    expect(detail.verdict).toBe("rise")
    expect(reported!.result!.effect!.points).toBeCloseTo(detail.effect!, 1)
    expect(text).toContain("The treated topics gained +")
    expect(words(text)).toEqual([])
  })

  it.each<readonly [string, (evidence: Evidence) => void]>([
    ["the seed", (evidence) => {
      planOf(evidence).seed = "00000000"
    }],
    ["the last day", (evidence) => {
      planOf(evidence).until = "2026-03-12"
    }],
    ["the day of the change", (evidence) => {
      planOf(evidence).from = "2026-03-05"
    }],
    ["the sides of a pair", (evidence) => {
      const [pair] = planOf(evidence).pairs
      ;[pair!.treated, pair!.held_out] = [pair!.held_out, pair!.treated]
    }],
    ["the number of scans", (evidence) => {
      planOf(evidence).scans_after = 2
    }],
    ["what was promised", (evidence) => {
      planOf(evidence).rise_tenths = 1
    }],
    ["the plan, by one of another experiment", (evidence) => {
      sealOf(evidence).header.facts = sealOf(other as Evidence).header.facts!
    }]
  ])(
    "a report of an experiment that has ended is refused with %s changed, although page and lines follow from it",
    (_, change) => {
      const forged = structuredClone(honest) as Evidence
      change(forged)
      const { sequence } = sealOf(forged).header
      expect(words(forge(forged as ReportEvidence))).toContain(`seal ${sequence} changed`)
    }
  )

  it("a report of an experiment that has ended is refused if its entire seal is that of another plan", () => {
    const forged = structuredClone(honest) as Evidence
    const at = forged.seals.indexOf(sealOf(forged))
    const found = structuredClone(sealOf(other as Evidence))
    forged.seals[at] = found
    expect(words(forge(forged as ReportEvidence)).join()).toMatch(/seal \d+ (?:changed|removed|added)/)
  })

  it("a report of an experiment that has ended is refused if the result on its page was changed", () => {
    const forged = text.replace(/(data-figure="experiment [^"]+">)[^<]+/, "$1+99.0")
    expect(forged).not.toBe(text)
    expect(words(forged)).not.toEqual([])
    const sentence = text.replace("topics gained", "topics gained ten times")
    expect(sentence).not.toBe(text)
    expect(words(sentence)).not.toEqual([])
  })

  it("a report of an experiment that has ended shows no result if one of its scans was left out, and is refused", () => {
    const forged = structuredClone(honest) as Evidence
    const [gone] = forged.scans.splice(1, 1)
    for (const seal of forged.seals) if (seal.header.scan_id === gone!.id) seal.answers = null
    expect(formReport(forged as ReportEvidence).experiments).toMatchObject([{ result: null }])
  })
})

it("a scan of another surface that runs while a plan is sealed does not change which scans the plan counts", () =>
  storage.run(Effect.gen(function*() {
    const organizationId = yield* seedTopics(18)
    const running = yield* answeredScan(organizationId, 26.5 * day, () => "It depends.", { surface: "app" })
    const id = yield* plan(organizationId)
    yield* atTime(27.5 * day, completeScan(organizationId, running.id))
    for (const days of [30, 36, 42, 50]) yield* scanAt(organizationId, days * day, usual)
    const { after, before } = yield* atTime(51 * day, readExperiment(organizationId, id))
    const days = [...before, ...after].map(({ startedAt }) => (startedAt.getTime() - at(0).getTime()) / 1000 / day)
    expect(days).toEqual([5, 12, 19, 26, 30, 36, 42])
    const { figures } = yield* readAt(organizationId, 51)
    expect(figures.experiments).toMatchObject([{ without: null, scans: { before: 4, after: 3 } }])
  })))

it("a report made before the end shows the plan but no result", () =>
  storage.run(Effect.gen(function*() {
    const { organizationId } = yield* seedUntil([30, 36, 42])
    const { evidence, figures } = yield* readAt(organizationId, 43)
    expect(figures.experiments).toMatchObject([{
      result: null,
      without: "no scan of this report ended after 2026-03-20"
    }])
    expect(words(makeReportFile(evidence, figures, null))).toEqual([])
  })))

it("a report of an experiment that was ended early states the reason", () =>
  storage.run(Effect.gen(function*() {
    const { id, organizationId } = yield* seedUntil([30])
    yield* atTime(35 * day, stopExperiment(organizationId, id, "withdrawn"))
    yield* scanAt(organizationId, 50 * day, usual)
    const { evidence, figures } = yield* readAt(organizationId, 51)
    expect(figures.experiments).toMatchObject([{ result: null, without: "ended early: withdrawn" }])
    expect(words(makeReportFile(evidence, figures, null))).toEqual([])
  })))

it.each([
  ["a millisecond before", -1, "rise"],
  ["at the beginning of", 0, null]
])(
  "a plan sealed %s the day of its change has a result only if it was sealed before (%i ms, %s)",
  (_, after, verdict) =>
    storage.run(Effect.gen(function*() {
      const { organizationId } = yield* seedUntil([30, 36, 42, 50])
      const { from, pairs, until } = (yield* listExperiments(organizationId))[0]!.plan
      const sealedAt = new Date(Date.parse(`${planOptions.from}T00:00:00Z`) + after)
      const id = yield* sealPlan(organizationId, { name: "Chosen", from, until, pairs, sealedAt })
      yield* scanAt(organizationId, 60 * day, usual)
      const broken = verdict === null ? "its plan was sealed after the change had begun" : null
      const { evidence, figures } = yield* readAt(organizationId, 61)
      const reported = figures.experiments.find(({ plan }) => plan.id === id)!
      expect([reported.without, reported.result?.verdict ?? null]).toEqual([broken, verdict])
      expect(words(makeReportFile(evidence, figures, null))).toEqual([])
      const shown = experimentDetailJson(yield* atTime(61 * day, readExperiment(organizationId, id)))
      expect(shown).toMatchObject({ broken, verdict: verdict ?? "broken" })
    }))
)
