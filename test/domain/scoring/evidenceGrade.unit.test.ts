/** Made archives of each grade; and each step that is proposed, done, raises its criterion, and all of them the grade. */
import {
  countEvidence,
  countKinds,
  countSamples,
  describeGrade,
  type EvidenceCriterion,
  type EvidencedScan,
  evidenceGrades,
  evidenceNeeds,
  type EvidencePlan,
  gradeEvidence,
  gradeOf,
  type KeywordId,
  listMissing,
  makeRandom,
  planEvidence,
  platformIds,
  type ScoredRow
} from "@sov/core"
import { describe, expect, it } from "vitest"
import { keywordId, rivals } from "./support.ts"

interface Made {
  readonly questions: number
  readonly topics: number
  readonly kinds: number
  readonly platforms: number
  readonly samples: number
  /** Scans, one a week, and the samples of those before the steps. */
  readonly scans: number
  readonly earlier?: { readonly scans: number; readonly made: Made }
  /** How likely an answer names each of the names that its question has. */
  readonly faithful: number
  readonly disclosed: boolean
}

const week = 7 * 86_400_000
const newest = Date.parse("2026-11-23T06:00:00Z")

const answer = (question: number, platform: number, { disclosed, faithful }: Made, random: () => number): ScoredRow => {
  const names = [0, 1, 2, 3].filter((name) => (question + name) % 2 === 0 && random() < faithful)
  return {
    keywordId: keywordId(question),
    platform: platformIds[platform]!,
    brandMentioned: names.includes(0),
    competitorsMentioned: rivals.filter((_, i) => names.includes(i + 1)),
    origin: { model: "m-1", search: disclosed ? "off" : null }
  }
}

const rowsOf = (made: Made, random: () => number): ReadonlyArray<ScoredRow> =>
  Array.from(
    { length: made.questions },
    (_, question) =>
      Array.from({ length: made.platforms }, (_, platform) =>
        Array.from({ length: made.samples }, () => answer(question, platform, made, random)))
  ).flat(2)

const scansOf = (made: Made, random: () => number, at = newest): ReadonlyArray<EvidencedScan> => [
  ...Array.from({ length: made.scans }, (_, i) => ({
    startedAt: new Date(at - i * week),
    surface: made.disclosed ? "api" as const : undefined,
    rows: rowsOf(made, random)
  })),
  ...made.earlier === undefined
    ? []
    : scansOf({ ...made.earlier.made, scans: made.earlier.scans }, random, at - made.scans * week)
]

const factsOf = (made: Made) => {
  const scans = scansOf(made, makeRandom(7))
  const ids = Array.from({ length: made.questions }, (_, i) => keywordId(i))
  const topics = new Map(ids.map((id, i) => [id, `t${i % made.topics}`]))
  const groups = Array.from({ length: made.kinds }, (_, kind) => new Set(ids.slice(5 * kind, 5 * kind + 5)))
  return countEvidence(scans, new Set(), topics, countKinds(groups, scans[0]!.rows, new Set()))
}

const decision: Made = {
  questions: 50,
  topics: 25,
  kinds: 3,
  platforms: 3,
  samples: 2,
  scans: 4,
  faithful: 0.9,
  disclosed: true
}
const directional: Made = { ...decision, topics: 10, kinds: 0, platforms: 2, samples: 1, scans: 2, faithful: 0.7 }

describe("constructed archives of each grade", () => {
  it.each([
    ["decision_grade", decision],
    ["directional", directional],
    ["exploratory", { ...directional, questions: 49 }]
  ])("an archive of the grade %s gets that grade", (grade, made) => {
    expect(gradeEvidence(factsOf(made as Made))).toBe(grade)
  })
})

const lacking: ReadonlyArray<readonly [EvidenceCriterion, Made, Made]> = [
  ["questions", { ...directional, questions: 49 }, directional],
  ["topics", { ...decision, topics: 24 }, decision],
  ["topics", { ...directional, topics: 9 }, directional],
  ["kinds", { ...decision, kinds: 2 }, decision],
  ["platforms", { ...decision, platforms: 2 }, decision],
  ["platforms", { ...directional, platforms: 1 }, directional],
  ["repeats", { ...decision, samples: 1 }, decision],
  ["repeats", { ...directional, scans: 1 }, directional],
  ["cadence", { ...decision, scans: 3, samples: 3 }, decision],
  ["cadence", { ...directional, scans: 1, samples: 2 }, directional],
  ["stability", { ...decision, faithful: 0.7, samples: 1, scans: 8 }, decision],
  ["stability", { ...directional, faithful: 0.5 }, directional],
  ["disclosure", { ...decision, disclosed: false }, decision]
]

it.each(lacking)("an archive that fails only the criterion %s gets a lower grade", (criterion, made, whole) => {
  const grade = gradeEvidence(factsOf(whole))
  expect(listMissing(factsOf(made), grade)).toContain(criterion)
  expect(evidenceGrades.indexOf(gradeEvidence(factsOf(made)))).toBeLessThan(evidenceGrades.indexOf(grade))
})

/** The archive after what the plan says: the new panel, scanned this often. */
const done = (made: Made, { steps, ...plan }: EvidencePlan): Made => {
  const stepOf = (criterion: EvidenceCriterion) => steps.find((one) => one.criterion === criterion)
  const added = plan.questions - made.questions
  return {
    ...made,
    questions: plan.questions,
    topics: made.topics + Math.max(stepOf("topics")?.adds ?? 0, added),
    kinds: made.kinds + (stepOf("kinds")?.adds ?? 0),
    platforms: plan.platforms,
    samples: plan.samples,
    scans: plan.scans,
    disclosed: made.disclosed || stepOf("disclosure") !== undefined,
    earlier: { scans: made.scans, made }
  }
}

describe("each completed step raises its criterion, and all steps together raise the grade", () => {
  const from: ReadonlyArray<Made> = [
    ...lacking.map(([, made]) => made),
    { ...directional, questions: 8, topics: 4, platforms: 1, scans: 1, disclosed: false },
    { ...directional, questions: 30, topics: 30, platforms: 1, scans: 9, kinds: 1 },
    { ...directional, scans: 1, samples: 5 }
  ]
  it.each(from)("the steps of the plan raise the archive %j", (made) => {
    const before = factsOf(made)
    const plan = planEvidence(before, 0.01)!
    const after = factsOf(done(made, plan))
    for (const { criterion } of plan.steps) {
      expect([criterion, evidenceGrades.indexOf(gradeOf(criterion, after.values[criterion]))]).toEqual([
        criterion,
        Math.max(
          evidenceGrades.indexOf(plan.grade),
          evidenceGrades.indexOf(gradeOf(criterion, after.values[criterion]))
        )
      ])
    }
    expect(evidenceGrades.indexOf(gradeEvidence(after))).toBeGreaterThan(evidenceGrades.indexOf(gradeEvidence(before)))
    // The plan counts what its scans ask
    expect(plan.answers).toBe(plan.questions * plan.platforms * plan.samples * plan.scans)
    expect(plan.costUsd).toBeCloseTo(plan.answers / 100)
    expect(plan.steps.map(({ costUsd }) => costUsd)).toEqual(plan.steps.map(({ answers }) => answers * 0.01))
    expect(plan.steps.reduce((total, { answers }) => total + answers, 0)).toBeLessThanOrEqual(plan.answers)
  })

  it("the plan no longer suffices with one scan or one question fewer", () => {
    for (const made of [{ ...directional, questions: 49 }, { ...decision, samples: 1 }, { ...directional, scans: 1 }]) {
      const plan = planEvidence(factsOf(made), 0.01)!
      const short = plan.scans > 1
        ? done(made, { ...plan, scans: plan.scans - 1 })
        : done(made, { ...plan, questions: plan.questions - 1 })
      expect(evidenceGrades.indexOf(gradeEvidence(factsOf(short)))).toBeLessThan(evidenceGrades.indexOf(plan.grade))
    }
  })

  it("the highest grade has no plan, and answers that always differ have no sufficient number of samples", () => {
    expect(planEvidence(factsOf(decision), 0.01)).toBeNull()
    expect(countSamples(5, 1, 60)).toBeNull()
    const plan = planEvidence(factsOf({ ...decision, faithful: 0.1, samples: 5 }), 0.01)!
    expect(plan.steps.find(({ criterion }) => criterion === "stability")!.adds).toBeNull()
  })
})

/** How alike two scans name, in per cent: names of a question differ on the logit scale, as in recorded answers. */
const simulateLikeness = (spread: number, level: number, samples: number): number => {
  const random = makeRandom(Math.round(100 * spread - 10 * level) + samples)
  const normal = () => Array.from({ length: 12 }, random).reduce((a, b) => a + b) - 6
  const chances = Array.from(
    { length: 600 },
    () => Array.from({ length: 4 }, () => 1 / (1 + Math.exp(-(level + spread * normal()))))
  )
  const scan = (): EvidencedScan["rows"] =>
    chances.flatMap((own, question) =>
      Array.from({ length: samples }, () => {
        const [brandMentioned = false, ...others] = own.map((chance) => random() < chance)
        return {
          keywordId: keywordId(question),
          platform: "assistant_a",
          brandMentioned,
          competitorsMentioned: rivals.filter((_, i) => others[i])
        }
      })
    )
  const scans = [0, 1].map((i) => ({ startedAt: new Date(newest - i * week), rows: scan() }))
  return countEvidence(scans, new Set(), new Map(), null).values.stability!
}

it("the planned number of samples makes two simulated scans as similar as required", () => {
  let planned = 0
  for (const spread of [0.5, 1, 1.5, 2, 2.5]) {
    for (const level of [-2, -1, 0]) {
      for (const needed of [40, 60]) {
        const likeness = simulateLikeness(spread, level, 1)
        const samples = likeness >= needed ? null : countSamples(likeness, 1, needed)
        if (samples === null) continue
        planned++
        expect(simulateLikeness(spread, level, samples)).toBeGreaterThanOrEqual(needed - 1)
      }
    }
  }
  expect(planned).toBeGreaterThan(8)
})

describe("what counts as evidence", () => {
  const scans = scansOf(decision, makeRandom(1))
  const facts = (found: ReadonlyArray<EvidencedScan>, branded: ReadonlySet<KeywordId> = new Set()) =>
    countEvidence(found, branded, new Map(), 3)
  it("questions that name the brand are not counted", () => {
    expect(facts(scans, new Set([keywordId(0)])).values.questions).toBe(49)
  })
  it("scans older than twelve weeks before the newest scan do not count", () => {
    const old = scans.map((scan, i) => i < 2 ? scan : { ...scan, startedAt: new Date(newest - 13 * week) })
    expect(facts(old)).toMatchObject({ scans: 2, values: { cadence: 2, repeats: 4 } })
  })
  it("two scans on the same day count as one day", () => {
    const same = scans.map((scan) => ({ ...scan, startedAt: new Date(newest) }))
    expect(facts(same).values).toMatchObject({ cadence: 1, repeats: 8 })
  })
  it("answers of an earlier model do not count as repeats", () => {
    const other = (row: ScoredRow): ScoredRow => ({ ...row, origin: { model: "m-0", search: "off" } })
    const broken = scans.map((scan, i) => i === 0 ? scan : { ...scan, rows: scan.rows.map(other) })
    expect(facts(broken).values).toMatchObject({ repeats: 2, cadence: 1, stability: null })
  })
  it("a platform that answered less than half of the questions is not counted", () => {
    const rows = scans[0]!.rows.filter(({ platform }, i) => platform !== platformIds[0] || i < 40)
    expect(facts([{ ...scans[0]!, rows }]).values.platforms).toBe(2)
  })
  it("an empty archive is exploratory, and the stability of answers without any name is unknown", () => {
    expect(gradeEvidence(facts([]))).toBe("exploratory")
    const silent = (row: ScoredRow): ScoredRow => ({ ...row, brandMentioned: false, competitorsMentioned: [] })
    expect(facts(scans.map((scan) => ({ ...scan, rows: scan.rows.map(silent) }))).values.stability).toBeNull()
  })
  it("the sentence names what is missing", () => {
    expect(describeGrade(factsOf({ ...decision, platforms: 2 }))).toBe(
      "Directional: good for early signals, not for budgets. To decision-grade: platforms 2 of 3."
    )
    expect(describeGrade(factsOf(decision))).toContain("All 8 criteria are met.")
    expect(evidenceNeeds.questions.directional).toBe(50)
  })
})
