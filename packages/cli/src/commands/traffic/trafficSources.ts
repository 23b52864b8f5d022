import { builtInSources, extendSources, TrafficSources } from "@sov/core"
import { Effect, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { usageError } from "../../CliError.ts"
import { firstIssue } from "../../input/decodeInput.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"

const hint = "sov traffic sources --json shows the form; docs/ai-traffic.md describes it"

/** The table of AI sources: the built-in one, with the entries of the file that `--source-table` names. */
export const trafficSources = Effect.fnUntraced(function*(file: string | undefined) {
  if (file === undefined) return builtInSources
  const json = yield* Effect.try({
    try: () => JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as unknown,
    catch: (error) =>
      error instanceof SyntaxError ? usageError(`${file} is not JSON`, hint) : makeUnreadableError(file, error, hint)
  })
  const own = yield* Schema.decodeUnknownEffect(TrafficSources)(json, { onExcessProperty: "error" }).pipe(
    Effect.mapError((error) => usageError(`${file}: ${firstIssue(error)}`, hint))
  )
  const extended = extendSources(builtInSources, own)
  return Result.isSuccess(extended)
    ? extended.success
    : yield* Effect.fail(usageError(`${file}: ${extended.failure}`, hint))
})
