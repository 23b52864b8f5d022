import type { EvidenceProblem } from "@sov/core/reports"

/** A difference in the file of a report: as of its evidence, or of a figure or another place of its page. */
export interface ReportProblem extends Omit<EvidenceProblem, "what"> {
  readonly what: EvidenceProblem["what"] | "figure" | "page" | "logo"
}
