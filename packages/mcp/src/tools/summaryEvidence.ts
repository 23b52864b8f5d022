/** The part of the summary that says how far its share can be relied on. */
import { describeGrade, evidenceCaveat, evidenceGrades, gradeEvidence } from "@sov/core/scoring"
import { Schema } from "effect"

export const SummaryEvidence = Schema.NullOr(Schema.Struct({
  grade: Schema.Literals(evidenceGrades),
  sentence: Schema.String.annotate({ description: "What the grade is good for, and what the next one still needs" }),
  caveat: Schema.String.annotate({ description: "Belongs beside the grade wherever it is shown" })
})).annotate({
  description:
    "How far avg_sov can be relied on: the lowest grade of eight criteria. Null before the first scan and for a view"
})

export const toEvidence = (facts: Parameters<typeof gradeEvidence>[0]): typeof SummaryEvidence.Type => ({
  grade: gradeEvidence(facts),
  sentence: describeGrade(facts),
  caveat: evidenceCaveat
})
