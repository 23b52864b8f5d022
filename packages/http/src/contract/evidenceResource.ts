/** Body of the operation `evidence`. */
import { Schema } from "effect"
import { Count } from "./numbers.ts"

const EvidenceGrade = Schema.Literals(["exploratory", "directional", "decision_grade"])
const Dollars = Schema.NullOr(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)))

/** How far the current share of voice can be relied on. */
export const Evidence = Schema.Struct({
  scan_id: Schema.String.annotate({ format: "uuid" }),
  grade: EvidenceGrade,
  caveat: Schema.String.annotate({ description: "Belongs beside the grade wherever it is shown" }),
  scans: Count.annotate({ description: "Scans that count as evidence" }),
  criteria: Schema.Array(
    Schema.Struct({
      criterion: Schema.String.annotate({
        description: "questions, topics, kinds, platforms, repeats, cadence, stability or disclosure; more may follow"
      }),
      value: Schema.NullOr(Schema.Finite).annotate({
        description: "A count, or a percentage for stability and disclosure; null if unknown"
      }),
      directional: Schema.Finite.annotate({ description: "The least value for this grade; 0 = it asks nothing" }),
      decision_grade: Schema.Finite,
      grade: EvidenceGrade.annotate({ description: "What this criterion allows" })
    })
  ).annotate({ description: "The grade is the lowest that one of them allows" }),
  next: Schema.NullOr(
    Schema.Struct({
      grade: EvidenceGrade,
      keywords: Count,
      platforms: Count,
      samples: Count,
      scans: Count.annotate({ description: "Scans of this panel, each on a day of its own; 0 = none" }),
      answers: Count.annotate({ description: "Of all these scans" }),
      cost_usd: Dollars.annotate({ description: "Null if prices are not known" }),
      steps: Schema.Array(
        Schema.Struct({
          criterion: Schema.String,
          adds: Schema.NullOr(Count).annotate({
            description: "Questions, topics, kinds, platforms, scans, days or samples; null if no number suffices"
          }),
          answers: Count,
          cost_usd: Dollars,
          text: Schema.String.annotate({ description: "What to do, in a sentence" })
        })
      ).annotate({ description: "Cheapest first; all of them are needed" })
    })
  ).annotate({ description: "The cheapest way to the next grade; null at the highest" }),
  simulated: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "Present only if the simulated adapter made up the answers" })
  )
}).annotate({ identifier: "Evidence" })
