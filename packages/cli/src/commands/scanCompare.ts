/** sov scan compare: what changed between two scans. */
import { compareScans } from "@sov/core"
import { Effect } from "effect"
import { canvasOf } from "../canvas.ts"
import { comparisonJson, comparisonText } from "../changeReport.ts"
import { currentOrganization } from "../currentOrganization.ts"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { runCommand } from "../runtime.ts"

/** Both scans are named by id, `latest` or `previous`. */
export const compare = (options: GlobalOptions, before: string, after: string) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const found = yield* compareScans(organization.id, before, after)
      out.result(comparisonJson(found), () => comparisonText(found, canvasOf(out)))
    }))
