import { Effect } from "effect"
import { type ExitCode, exitCodes } from "../../exitCodes.ts"
import type { Output } from "../../output/Output.ts"

/**
 * Runs `work` for the scan of each view, one after the other, and returns the first exit code that is not ok. For
 * programs, several results become one: the first, with the others under `views`.
 */
export const forEachView = Effect.fnUntraced(function*<A, E, R>(
  out: Output,
  scans: readonly [A, ...Array<A>],
  work: (out: Output, scan: A) => Effect.Effect<ExitCode, E, R>
) {
  const results: Array<unknown> = []
  const isMerged = scans.length > 1 && out.machine
  const codes = yield* Effect.forEach(scans, (scan) => work(isMerged ? out.collecting(results) : out, scan))
  if (isMerged) out.result({ ...results[0] as object, views: results.slice(1) }, () => "")
  return codes.find((code) => code !== exitCodes.ok) ?? exitCodes.ok
})
