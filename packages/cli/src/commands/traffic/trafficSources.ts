import { describeJsonFault, parseJson } from "@sov/core/common"
import { builtInSources, extendSources, TrafficSources } from "@sov/core/traffic"
import { Effect, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { usageError } from "../../CliError.ts"
import { describeFirstIssue } from "../../input/decodeInput.ts"
import { makeUnreadableError } from "../../input/unreadable.ts"

const hint = "sov traffic sources --json shows the form; docs/ai-traffic.md describes it"

/** The table of AI sources: the built-in entries, and those of the file that `--source-table` names. */
export const trafficSources = Effect.fnUntraced(function*(file: string | undefined) {
  if (file === undefined) return builtInSources
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: (error) => makeUnreadableError(file, error, hint)
  })
  const json = yield* Effect.fromResult(Result.mapError(
    parseJson(text),
    (fault) => usageError(`${file}: ${describeJsonFault(fault)}`, hint)
  ))
  const own = yield* Schema.decodeUnknownEffect(TrafficSources)(json, { onExcessProperty: "error" }).pipe(
    Effect.mapError((error) => usageError(`${file}: ${describeFirstIssue(error)}`, hint))
  )
  const extended = extendSources(builtInSources, own)
  return Result.isSuccess(extended)
    ? extended.success
    : yield* Effect.fail(usageError(`${file}: ${extended.failure}`, hint))
})
