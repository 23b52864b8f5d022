/** sov rescore: measures the archive again. */
import { planRescore, previewRescore, rescore, type RescorePlan, type RescorePreview } from "@sov/core/measuring"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { dateOption } from "../../input/dateOption.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { withProgress } from "../../output/rowProgress.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { previewJson, previewText, rescoredText, rescoreJson } from "./rescoreReport.ts"

interface RescoreOptions extends GlobalOptions {
  readonly scan?: string
  readonly since?: string
  readonly dryRun?: boolean
}

export const run = (options: RescoreOptions) => {
  const scope = Effect.gen(function*() {
    if (options.scan !== undefined && options.since !== undefined) {
      return yield* Effect.fail(usageError("--scan and --since exclude each other"))
    }
    return {
      ...options.scan === undefined ? {} : { scan: options.scan },
      ...options.since === undefined ? {} : { since: yield* dateOption("--since", options.since, "from") }
    }
  })
  return runForOrganization(options, { before: scope, repeatable: true }, function*({ out }, organization) {
    const plan: RescorePlan = yield* planRescore(organization.id, yield* scope)
    if (options.dryRun === true) {
      const preview: RescorePreview = yield* withProgress(
        out,
        "Reading",
        plan.answers,
        (onRead) => previewRescore(organization.id, plan, onRead)
      )
      return out.result(previewJson(plan, preview), () => previewText(plan, preview, makeCanvas(out)))
    }
    const done = yield* withProgress(
      out,
      "Measuring",
      plan.answers - plan.measured,
      (onMeasured) => rescore(organization.id, plan, onMeasured)
    ).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => out.note("Stopped; what is measured stays. Go on: repeat the command."))
      )
    )
    out.result(rescoreJson(plan, done), () => rescoredText(plan, done))
  })
}
