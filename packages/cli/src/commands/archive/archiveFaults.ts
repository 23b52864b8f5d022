/** Collects the faults that an export finds when it compares the rows with their seals. */
import type { ArchiveProblem } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import { Effect } from "effect"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { describeProblem } from "./describeProblem.ts"

/** Maximum number of faults that an export lists; `sov archive verify` lists all of them. */
const maxNamed = 20

/** Counts faults. The count starts at `before`, the number that an earlier run of the export found. */
export const collectFaults = (before = 0) => {
  const named: Array<ArchiveProblem> = []
  let count = before
  return {
    count: () => count,
    named: (): ReadonlyArray<ArchiveProblem> => named,
    onProblem: (problem: ArchiveProblem) =>
      Effect.sync(() => {
        count++
        if (named.length < maxNamed) named.push(problem)
      }),
    /** Fails if there are faults, because the export then contains the archive as it is and not as it was sealed. */
    failIfAny: Effect.suspend(() =>
      count === 0 ? Effect.void : Effect.fail(
        new CliError(
          "archive-changed",
          exitCodes.checkFailed,
          `the archive is not as it was sealed, and the export has it as it is: ${
            [pluralized(count, "fault"), ...named.slice(0, 3).map(describeProblem)].join("; ")
          }`,
          "sov archive verify names each fault"
        )
      )
    )
  }
}
