import type { EvidenceProblem } from "@sov/core/reports"

/** A problem found in a report file: in its evidence, a figure, the logo, or another part of the page. */
export interface ReportProblem extends Omit<EvidenceProblem, "what"> {
  readonly what: EvidenceProblem["what"] | "figure" | "page" | "logo"
}
