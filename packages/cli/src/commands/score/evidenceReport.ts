/** The evidence behind a share of voice, for programs and people. */
import { formatDollars } from "@sov/core/platforms"
import {
  criterionWords,
  describeGrade,
  evidenceCriteria,
  type EvidenceCriterion,
  evidenceNeeds,
  formatCriterion,
  type GradeInputs,
  gradeOf,
  gradeWords
} from "@sov/core/scoring"
import type { Evidence } from "@sov/http/fetch-client"
import { makeCanvas } from "../../output/canvas.ts"
import { type Column, type Output, printable } from "../../output/Output.ts"
import { pluralizeGrouped } from "../../render/counted.ts"
import { wrapSentence } from "../../render/scoreView.ts"

const columns = (values: GradeInputs["values"]): ReadonlyArray<Column<{ readonly criterion: EvidenceCriterion }>> => {
  const needed = (one: EvidenceCriterion, grade: "directional" | "decision_grade") =>
    evidenceNeeds[one][grade] === 0 ? "" : formatCriterion(one, evidenceNeeds[one][grade])
  return [
    { header: "CRITERION", cell: ({ criterion }) => criterionWords[criterion].title },
    { header: "NOW", cell: ({ criterion }) => formatCriterion(criterion, values[criterion]), align: "right" },
    { header: "DIRECTIONAL", cell: ({ criterion }) => needed(criterion, "directional"), align: "right" },
    { header: "DECISION-GRADE", cell: ({ criterion }) => needed(criterion, "decision_grade"), align: "right" },
    { header: "ALLOWS", cell: ({ criterion }) => gradeWords[gradeOf(criterion, values[criterion])] }
  ]
}

/** Describes answers and their cost: "1,050 answers, about $3.10"; "free". */
const priceWords = (answers: number, costUsd: number | null): string => {
  if (answers === 0) return "free"
  const cost = costUsd === null ? "price not known" : costUsd === 0 ? "free" : `about ${formatDollars(costUsd)}`
  return `${pluralizeGrouped(answers, "answer")}, ${cost}`
}

/** Prints the grade, its criteria, and what the next grade requires. */
export const printEvidence = (out: Output, evidence: Evidence): void => {
  const { caveat, criteria, next, simulated } = evidence
  if (out.format === "csv") return out.list(criteria, [], { empty: "" })
  if (out.machine) return out.result(evidence, () => "")
  const values = Object.fromEntries(
    evidenceCriteria.map((one) => [one, criteria.find(({ criterion }) => criterion === one)?.value ?? null])
  ) as GradeInputs["values"]
  const say = (text: string, isMarked = false) => {
    for (const line of wrapSentence(printable(text), makeCanvas(out), isMarked)) out.line(line)
  }
  say(describeGrade({ values }), simulated === true)
  out.list(evidenceCriteria.map((criterion) => ({ criterion })), columns(values), { empty: "" })
  if (next !== null) {
    say(`To ${gradeWords[next.grade]}, the cheapest step first:`)
    for (const step of next.steps) say(`- ${step.text} (${priceWords(step.answers, step.cost_usd)})`)
    if (next.scans > 0) {
      say(
        `Together: ${pluralizeGrouped(next.scans, "scan")} of ${pluralizeGrouped(next.keywords, "question")} on ${
          pluralizeGrouped(next.platforms, "platform")
        }${next.samples === 1 ? "" : `, ${next.samples} samples each`}: ${priceWords(next.answers, next.cost_usd)}.`
      )
    }
  }
  out.note(printable(`This is ${caveat}`))
}
