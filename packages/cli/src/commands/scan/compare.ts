/** sov scan compare: shows the changes between two scans. */
import { wholeHistory } from "@sov/core/organizations"
import { compareScans } from "@sov/core/scoring"
import { makeCanvas } from "../../output/canvas.ts"
import { comparisonJson, comparisonText } from "../../render/changeReport.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/**
 * Options of `sov scan compare`. `--tag` is also a repeatable option of `sov scan`; here only its last value counts.
 */
interface CompareOptions extends GlobalOptions {
  readonly tag?: ReadonlyArray<string>
}

/** Compares two scans, each given by id, as `latest` or as `previous`. */
export const compare = (options: CompareOptions, before: string, after: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const found = yield* compareScans(organization.id, wholeHistory, before, after, options.tag?.at(-1))
    out.result(comparisonJson(found), () => comparisonText(found, makeCanvas(out)))
  })
