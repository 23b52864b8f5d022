import type { ArchiveProblem } from "@sov/core/archive"
import { printable } from "../../output/Output.ts"

/** A difference between the archive and its seals, as a line for people. */
export const describeProblem = ({ detail, id, problem, what }: ArchiveProblem): string =>
  printable(problem === "unsealed" ? `${what} ${id}: ${detail}` : `${what} ${id} ${problem}: ${detail}`)
