/** sov compare surfaces: compares answers captured in apps with answers of APIs. */
import { pluralized } from "@sov/core/common"
import { otherQuestions, readSurfaces, roundHalfUp, surfacesJson } from "@sov/core/scoring"
import { printable } from "../../output/Output.ts"
import { rangeText } from "../../render/scoreView.ts"
import { renderTable } from "../../render/table.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

type Json = ReturnType<typeof surfacesJson>

const line = (what: string, mean: number | null, interval: Json["agreement_interval_95"]): string =>
  mean === null
    ? `${what}: no question was answered by both`
    : `${what}: ${mean} %${
      interval === null ? " (too few topics for an interval)" : ` (95 %: ${rangeText(interval)}, for ${otherQuestions})`
    }`

/** The text of the comparison. */
export const surfacesText = (found: Json, platformName: (platform: Json["cells"][number]["platform"]) => string) =>
  [
    `${pluralized(found.app_answers, "captured answer")}, ${found.captured_from.slice(0, 10)} to ` +
    `${found.captured_to.slice(0, 10)}, against ${pluralized(found.api_answers, "API answer")} of ` +
    `${found.api_completed_at.slice(0, 10)} to the same questions on the same platforms` +
    (found.older_imports_left_out ? `; only the newest ${pluralized(found.imports, "import")} count` : "") +
    (found.unmatched === 0 ? "" : `; ${found.unmatched} without an API answer are left out`),
    line("Both name the brand, or neither does", found.agreement, found.agreement_interval_95),
    line("Names in either that are in both (Jaccard)", found.jaccard, found.jaccard_interval_95),
    "",
    renderTable(
      found.cells.map((cell) => [
        printable(cell.keyword),
        platformName(cell.platform),
        `${roundHalfUp(cell.agreement, 0)} %`,
        cell.jaccard === null ? "-" : `${roundHalfUp(cell.jaccard, 0)} %`
      ]),
      { header: ["QUESTION", "PLATFORM", "AGREE", "JACCARD"], align: ["left", "left", "right", "right"] }
    )
  ].join("\n")

/** Runs `sov compare surfaces`. */
export const surfaces = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const found = surfacesJson(yield* readSurfaces(organization.id))
    out.result(found, () => surfacesText(found, (platform) => out.platformName(platform)))
    out.note("It says how far the two surfaces agree. It never corrects a share: they are not added up.")
  })
