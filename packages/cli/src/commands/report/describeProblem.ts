import type { ReportProblem } from "@sov/http/report"
import { printable } from "../../output/Output.ts"

/** Describes a problem on one line. */
export const describeProblem = ({ detail, id, problem, what }: ReportProblem): string =>
  printable(`${what} ${id} ${problem}: ${detail}`)
