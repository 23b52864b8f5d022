/** sov scan compare: what changed between two scans. */
import { wholeHistory } from "@sov/core/organizations"
import { compareScans } from "@sov/core/scoring"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { makeCanvas } from "../../output/canvas.ts"
import { comparisonJson, comparisonText } from "../../render/changeReport.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** `--tag` is an option of `sov scan`, too, where it is repeatable: the last one holds. */
interface CompareOptions extends GlobalOptions {
  readonly tag?: ReadonlyArray<string>
}

/** Both scans are named by id, `latest` or `previous`. */
export const compare = (options: CompareOptions, before: string, after: string) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const found = yield* compareScans(organization.id, wholeHistory, before, after, options.tag?.at(-1))
      out.result(comparisonJson(found), () => comparisonText(found, makeCanvas(out)))
    }))
