/** Finds the cheapest panel that raises evidence to the next grade, step by step (docs/evidence.md). */
import { platformIds } from "../platforms/Platform.ts"
import { maxSamples } from "../scanning/startRequest.ts"
import { pluralized } from "../wording.ts"
import {
  type EvidenceCriterion,
  type EvidenceGrade,
  evidenceGrades,
  evidenceNeeds,
  gradeEvidence,
  type GradeInputs,
  listMissing,
  lowerMedian
} from "./evidenceGrade.ts"

/** A step that raises one criterion. */
export interface EvidenceStep {
  readonly criterion: EvidenceCriterion
  /**
   * Number of questions, kinds, platforms, scans or samples to add; null if the step has no number, or if no number
   * suffices.
   */
  readonly adds: number | null
  /** Number of answers that the step requires in addition to the answers of the other steps. */
  readonly answers: number
  /** The cost of these answers in US dollars; null if unknown. */
  readonly costUsd: number | null
}

/** The panel that reaches the next grade after a number of scans, by the cheapest steps. */
export interface EvidencePlan {
  readonly grade: Exclude<EvidenceGrade, "exploratory">
  /** The steps, cheapest first. */
  readonly steps: ReadonlyArray<EvidenceStep>
  readonly questions: number
  readonly platforms: number
  readonly samples: number
  /** Number of scans, each on a different day; 0 if no scan is needed. */
  readonly scans: number
  /** Number of answers in all these scans. */
  readonly answers: number
  readonly costUsd: number | null
}

/** The evidence for a share, and the plan for the next grade; null at the highest grade. */
export interface GradedEvidence {
  readonly facts: GradeInputs
  readonly next: EvidencePlan | null
}

/**
 * Margin in points of similarity by which samples may fall short of the √n rule of `countSamples`, from simulated
 * panels (test/domain/scoring/evidenceGrade.unit.test.ts).
 */
const samplesMargin = 4

/**
 * The minimum number of samples that raises a similarity, in per cent, to the needed value: n samples reduce the
 * dissimilar part by √n. Null if more samples are needed than a scan may take.
 */
export const countSamples = (likeness: number, samples: number, needed: number): number | null => {
  const unlike = 100 / Math.max(1e-9, likeness) - 1
  for (let n = samples + 1; n <= maxSamples; n++) {
    if (100 / (1 + unlike * Math.sqrt(samples / n)) >= needed + samplesMargin) return n
  }
  return null
}

/** Plans the next grade; null at the highest grade. `answerCostUsd` is the cost of one answer; null if unknown. */
export const planEvidence = (facts: GradeInputs, answerCostUsd: number | null): EvidencePlan | null => {
  const now = gradeEvidence(facts)
  const grade = evidenceGrades[evidenceGrades.indexOf(now) + 1] as EvidencePlan["grade"] | undefined
  if (grade === undefined) return null
  const { samples, values } = facts
  const missing = listMissing(facts, grade)
  const need = (criterion: EvidenceCriterion) => evidenceNeeds[criterion][grade]
  const lacks = (criterion: EvidenceCriterion) =>
    missing.includes(criterion) ? Math.max(0, need(criterion) - (values[criterion] ?? 0)) : 0
  const questionsNow = values.questions ?? 0
  const questions = questionsNow + Math.max(lacks("questions"), lacks("topics"))
  const platformsNow = Math.max(1, values.platforms ?? 0)
  const platforms = Math.min(
    platformIds.length,
    Math.max(platformsNow, missing.includes("platforms") ? need("platforms") : 0)
  )
  const { stability } = values
  const isUnstable = missing.includes("stability") && stability !== null
  const wanted = isUnstable ? countSamples(stability, samples, need("stability")) : samples
  const target = wanted ?? samples
  const cells = [...Array<number>(Math.max(0, questions * platforms - facts.answers.length)).fill(0), ...facts.answers]
  const repeats = missing.includes("repeats") || cells.length > facts.answers.length
    ? Math.max(0, Math.ceil((need("repeats") - lowerMedian(cells)) / target))
    : 0
  const others = Math.max(
    lacks("cadence"),
    isUnstable && wanted !== null ? 2 : 0,
    missing.includes("stability") && stability === null ? 2 - Math.min(1, facts.scans) : 0,
    missing.some((one) => one !== "kinds" && (one !== "stability" || wanted !== null)) ? 1 : 0
  )
  const scans = Math.max(repeats, others)
  const old = questionsNow * platformsNow * samples
  const answersOf = (criterion: EvidenceCriterion): number => {
    switch (criterion) {
      case "questions":
        return lacks("questions") * platformsNow * samples * scans
      case "topics":
        return Math.max(0, lacks("topics") - lacks("questions")) * platformsNow * samples * scans
      case "platforms":
        return questions * (platforms - platformsNow) * samples * scans
      case "stability":
        return questions * platforms * (target - samples) * scans
      case "repeats":
        return old * repeats
      case "cadence":
        return old * Math.max(0, lacks("cadence") - (missing.includes("repeats") ? repeats : 0))
      default:
        return 0
    }
  }
  const price = (answers: number): number | null =>
    answers === 0 ? 0 : answerCostUsd === null ? null : answers * answerCostUsd
  const adds = (criterion: EvidenceCriterion): number | null =>
    criterion === "disclosure"
      ? null
      : criterion === "repeats"
      ? repeats
      : criterion === "stability"
      ? isUnstable ? wanted : 0
      : lacks(criterion)
  const answers = questions * platforms * target * scans
  return {
    grade,
    steps: missing.map((criterion): EvidenceStep => {
      const answers = answersOf(criterion)
      return { criterion, adds: adds(criterion), answers, costUsd: price(answers) }
    }).toSorted((a, b) => a.answers - b.answers),
    questions,
    platforms,
    samples: target,
    scans,
    answers,
    costUsd: price(answers)
  }
}

/** Describes a step in one sentence that says what to do. */
export const describeStep = ({ adds, answers, criterion }: Omit<EvidenceStep, "costUsd">): string => {
  const more = (thing: string) => `${adds} more ${thing}${adds === 1 ? "" : "s"}`
  switch (criterion) {
    case "questions":
      return `Track ${more("question")} that buyers ask.`
    case "topics":
      return answers === 0
        ? `Choose the new questions so that ${more("topic")} ${adds === 1 ? "is" : "are"} asked about.`
        : `Ask about ${more("topic")}: a question each.`
    case "kinds":
      return `Tag the questions by kind, such as category, comparison and ready to buy: ${more("tag")} are needed.`
    case "platforms":
      return `Connect ${more("platform")}.`
    case "repeats":
      return `Scan ${pluralized(adds ?? 0, "more time")}.`
    case "cadence":
      return answers === 0 ? `Begin these scans on ${more("day")}.` : `Scan on ${more("day")}.`
    case "stability":
      return adds === null
        ? `Answers name others each time, and ${maxSamples} samples would hardly change that: read the shares of several scans.`
        : adds === 0
        ? "Scan again, with a competitor that answers name: only then can two scans be held side by side."
        : `Ask each question ${adds} times a scan (samples), in two scans.`
    case "disclosure":
      return "Scan with adapters that say which model answered, whether it searched, and whether it was an API or an app."
  }
}
