/**
 * Grades the evidence for a share, by sov's own reading of the criteria in the IAB's guidance "Measuring Visibility in
 * the AI Era" of 3 August 2026 (docs/evidence.md). Where the guidance states no number, the number is sov's.
 */
import type { KeywordId } from "../ids.ts"
import type { Surface } from "../platforms/surface.ts"
import { rowsSinceBreaks } from "./breaks.ts"
import { groupIntoCells, type ScoredCell, type ScoredRow, selectHeadlineCells, sum } from "./cells.ts"
import { brandKey, topicOf } from "./panel.ts"
import { roundHalfUp } from "./Score.ts"

/** The grades, lowest first. */
export const evidenceGrades = ["exploratory", "directional", "decision_grade"] as const
export type EvidenceGrade = typeof evidenceGrades[number]

export const evidenceCriteria = [
  "questions",
  "topics",
  "kinds",
  "platforms",
  "repeats",
  "cadence",
  "stability",
  "disclosure"
] as const
export type EvidenceCriterion = typeof evidenceCriteria[number]

/** The minimum value of each criterion for a grade; 0 means no minimum. */
export const evidenceNeeds: {
  readonly [C in EvidenceCriterion]: { readonly directional: number; readonly decision_grade: number }
} = {
  questions: { directional: 50, decision_grade: 50 },
  topics: { directional: 10, decision_grade: 25 },
  kinds: { directional: 0, decision_grade: 3 },
  platforms: { directional: 2, decision_grade: 3 },
  repeats: { directional: 2, decision_grade: 7 },
  cadence: { directional: 2, decision_grade: 4 },
  stability: { directional: 40, decision_grade: 60 },
  disclosure: { directional: 50, decision_grade: 95 }
}

/**
 * Only scans that began at most this number of days before the newest scan are evidence for the current share, and of
 * these at most the newest `maxEvidenceScans`.
 */
export const evidenceDays = 84
export const maxEvidenceScans = 12

/** Minimum number of questions in a group for it to count as a kind of question. */
export const minKindQuestions = 5

/** A scan with its measured answers. */
export interface EvidencedScan {
  readonly startedAt: Date
  readonly surface?: Surface | undefined
  readonly rows: ReadonlyArray<ScoredRow>
}

/** The facts that the criteria judge. */
export interface GradeInputs {
  /** The value of each criterion; stability and disclosure are percentages. Null means unknown. */
  readonly values: { readonly [C in EvidenceCriterion]: number | null }
  readonly scans: number
  /** Average number of answers of one scan to a question on a platform, rounded. */
  readonly samples: number
  /** Number of answers to each question on each platform, in ascending order. */
  readonly answers: ReadonlyArray<number>
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const keyOf = ({ keywordId, platform }: Pick<ScoredCell, "keywordId" | "platform">): string =>
  `${platform} ${keywordId}`

/** The lower median; 0 without values. */
export const lowerMedian = (sorted: ReadonlyArray<number>): number => sorted[(sorted.length - 1) >> 1] ?? 0

const countDistinct = (values: ReadonlyArray<string>): number => new Set(values).size

/** The share of a cell's answers that name each tracked name, 0–1. */
const namedRates = ({ rows }: ScoredCell): ReadonlyMap<string, number> => {
  const rates = new Map<string, number>()
  for (const { brandMentioned, competitorsMentioned } of rows) {
    for (const name of brandMentioned ? [brandKey, ...competitorsMentioned] : competitorsMentioned) {
      rates.set(name, (rates.get(name) ?? 0) + 1 / rows.length)
    }
  }
  return rates
}

/**
 * The similarity of the names in two cells, 0–1 (Ruzicka; equal to Jaccard's index if each cell has one answer); null
 * if neither cell names anyone.
 */
const likeness = (a: ScoredCell, b: ScoredCell): number | null => {
  const [one, other] = [namedRates(a), namedRates(b)]
  const pairs = [...new Set([...one.keys(), ...other.keys()])]
    .map((name) => [one.get(name) ?? 0, other.get(name) ?? 0] as const)
  return pairs.length === 0
    ? null
    : sum(pairs.map(([x, y]) => Math.min(x, y))) / sum(pairs.map(([x, y]) => Math.max(x, y)))
}

/**
 * Mean similarity between the cells of a scan and the same cells of the scan before, as a percentage; null without a
 * pair.
 */
const measureStability = (newest: ReadonlyArray<ScoredCell>, before: ReadonlyArray<ScoredCell>): number | null => {
  const earlier = new Map(before.map((cell) => [keyOf(cell), cell]))
  const found = newest.flatMap((cell) => {
    const other = earlier.get(keyOf(cell))
    return other === undefined ? [] : likeness(cell, other) ?? []
  })
  return found.length === 0 ? null : 100 * sum(found) / found.length
}

/** Number of platforms that answered at least half of the questions. */
const countPlatforms = (cells: ReadonlyArray<ScoredCell>, questions: number): number =>
  [...Map.groupBy(cells, ({ platform }) => platform).values()].filter((own) => 2 * own.length >= questions).length

const isDisclosed = ({ origin }: ScoredRow): boolean =>
  origin != null && origin.model !== null && origin.search !== null

/** Counts the groups that contain enough questions of the newest scan, not counting branded ones, to be a kind. */
export const countKinds = (
  groups: ReadonlyArray<ReadonlySet<KeywordId>>,
  newest: ReadonlyArray<{ readonly keywordId: KeywordId }>,
  branded: ReadonlySet<KeywordId>
): number => {
  const counted = [...new Set(newest.map(({ keywordId }) => keywordId))].filter((id) => !branded.has(id))
  return groups.filter((group) => counted.filter((id) => group.has(id)).length >= minKindQuestions).length
}

/**
 * Counts the evidence in scans that were measured alike, newest first. Questions that name the brand are not counted,
 * and neither are answers from before a break of a platform's series. `kinds` is the number of kinds of question; null
 * if unknown.
 */
export const countEvidence = (
  scans: ReadonlyArray<EvidencedScan>,
  branded: ReadonlySet<KeywordId>,
  topics: ReadonlyMap<KeywordId, string>,
  kinds: number | null
): GradeInputs => {
  const last = scans[0]?.startedAt.getTime() ?? 0
  const recent = scans.slice(0, maxEvidenceScans)
    .filter(({ startedAt }) => last - startedAt.getTime() <= evidenceDays * 86_400_000)
  const since = rowsSinceBreaks(
    recent.map(({ rows }, scan) =>
      rows.filter(({ keywordId }) => !branded.has(keywordId)).map((row) => ({ ...row, scan }))
    )
  )
  const byScan = Map.groupBy(since, ({ scan }) => scan)
  const cellsOf = (scan: number) => selectHeadlineCells(byScan.get(scan) ?? [], new Set(), topics).cells
  const [cells, before] = [cellsOf(0), cellsOf(1)]
  const all = new Map(groupIntoCells(since).map((cell) => [keyOf(cell), cell.rows.length]))
  const answers = cells.map((cell) => all.get(keyOf(cell))!).toSorted((a, b) => a - b)
  const questions = countDistinct(cells.map(({ keywordId }) => keywordId))
  const own = cells.flatMap(({ rows }) => rows)
  return {
    values: {
      questions,
      topics: countDistinct(cells.map(topicOf)),
      kinds,
      platforms: countPlatforms(cells, questions),
      repeats: lowerMedian(answers),
      cadence: countDistinct([...byScan.keys()].map((scan) => dayOf(recent[scan]!.startedAt))),
      stability: measureStability(cells, before),
      disclosure: own.length === 0 || scans[0]?.surface === undefined
        ? 0
        : 100 * own.filter(isDisclosed).length / own.length
    },
    scans: byScan.size,
    samples: cells.length === 0 ? 1 : Math.max(1, Math.round(own.length / cells.length)),
    answers
  }
}

/** The highest grade that one criterion allows. */
export const gradeOf = (criterion: EvidenceCriterion, value: number | null): EvidenceGrade => {
  const { decision_grade, directional } = evidenceNeeds[criterion]
  return value !== null && value >= decision_grade
    ? "decision_grade"
    : directional === 0 || (value !== null && value >= directional)
    ? "directional"
    : "exploratory"
}

/** The grade of the evidence: the lowest grade that any criterion allows. */
export const gradeEvidence = ({ values }: Pick<GradeInputs, "values">): EvidenceGrade =>
  evidenceGrades.find((grade) => evidenceCriteria.some((one) => gradeOf(one, values[one]) === grade))!

/** The criteria whose values are too low for a grade. */
export const listMissing = (
  { values }: Pick<GradeInputs, "values">,
  grade: EvidenceGrade
): ReadonlyArray<EvidenceCriterion> => {
  const needed = evidenceGrades.indexOf(grade)
  return evidenceCriteria.filter((one) => evidenceGrades.indexOf(gradeOf(one, values[one])) < needed)
}

/** The grades as texts name them: "decision-grade". */
export const gradeWords: { readonly [Grade in EvidenceGrade]: string } = {
  exploratory: "exploratory",
  directional: "directional",
  decision_grade: "decision-grade"
}

/** What the evidence of each grade can be used for; the upper two are in the words of the guidance. */
export const gradeMeanings: { readonly [Grade in EvidenceGrade]: string } = {
  exploratory: "a first look, too little to describe a market",
  directional: "good for early signals, not for budgets",
  decision_grade: "good enough to decide on"
}

/** Describes what each criterion counts. */
export const criterionWords: { readonly [C in EvidenceCriterion]: { readonly title: string; readonly says: string } } =
  {
    questions: { title: "Questions", says: "answered in the newest scan, without those that name the brand" },
    topics: { title: "Topics", says: "of these questions: those that ask the same in other words are one" },
    kinds: { title: "Kinds of question", says: `tags with at least ${minKindQuestions} of these questions` },
    platforms: { title: "Platforms", says: "that answered at least half of the questions" },
    repeats: { title: "Repeats", says: `answers to a question on a platform, median, within ${evidenceDays} days` },
    cadence: { title: "Days", says: `on which scans began, within ${evidenceDays} days` },
    stability: { title: "Same names again", says: "in the newest scan and in the one before, of the names in either" },
    disclosure: {
      title: "Origin known",
      says: "answers of the newest scan whose surface, model and search mode are known"
    }
  }

/** The value as text: "62", "71 %"; "–" if unknown. */
export const formatCriterion = (criterion: EvidenceCriterion, value: number | null): string =>
  value === null
    ? "–"
    : criterion === "stability" || criterion === "disclosure"
    ? `${Math.floor(roundHalfUp(value, 6))} %`
    : String(value)

/** The text that must accompany a grade wherever it is shown. */
export const evidenceCaveat = "sov's own reading of the IAB's guidance of 3 August 2026, which is no standard: " +
  "not a certification."

/** "Directional: good for early signals, not for budgets.", followed by what the next grade still requires. */
export const describeGrade = (facts: Pick<GradeInputs, "values">): string => {
  const grade = gradeEvidence(facts)
  const word = gradeWords[grade]
  const next = evidenceGrades[evidenceGrades.indexOf(grade) + 1]
  const missing = next === undefined ? [] : listMissing(facts, next)
  const begin = `${word[0]!.toUpperCase()}${word.slice(1)}: ${gradeMeanings[grade]}`
  return next === undefined
    ? `${begin}. All ${evidenceCriteria.length} criteria are met.`
    : `${begin}. To ${gradeWords[next]}: ${
      missing.map((one) =>
        `${criterionWords[one].title.toLowerCase()} ${formatCriterion(one, facts.values[one])} of ${
          formatCriterion(one, evidenceNeeds[one][next as Exclude<EvidenceGrade, "exploratory">])
        }`
      ).join(", ")
    }.`
}
