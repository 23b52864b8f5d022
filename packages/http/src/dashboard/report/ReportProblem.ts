import type { EvidenceProblem } from "@sov/core/reports"

/** A difference in a report's file: in its evidence, a figure, the logo, or another part of the page. */
export interface ReportProblem extends Omit<EvidenceProblem, "what"> {
  readonly what: EvidenceProblem["what"] | "figure" | "page" | "logo"
}
