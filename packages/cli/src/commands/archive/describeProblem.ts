import type { ArchiveProblem } from "@sov/core/archive"
import { printable } from "../../output/Output.ts"

/** Describes a difference between the archive and its seals on one line. */
export const describeProblem = ({ detail, id, problem, what }: ArchiveProblem): string =>
  printable(problem === "unsealed" ? `${what} ${id}: ${detail}` : `${what} ${id} ${problem}: ${detail}`)
