import type { ArchiveProblem } from "@sov/core/archive"
import { printable } from "../../output/Output.ts"

/** A difference from what was sealed, as people read it. */
export const describeProblem = ({ detail, id, problem, what }: ArchiveProblem): string =>
  printable(problem === "unsealed" ? `${what} ${id}: ${detail}` : `${what} ${id} ${problem}: ${detail}`)
