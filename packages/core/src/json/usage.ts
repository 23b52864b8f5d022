/** The usage of a month as clients see it. */
import type { Organization } from "../domain/organizations/Organization.ts"
import type { Spending } from "../domain/platforms/Cost.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import { csvLine, type CsvSeparator } from "./csv.ts"

type Counted = Spending & { readonly calls: number }

/** The usage of one organization. */
interface Used {
  readonly organization: Pick<Organization, "id" | "slug" | "name">
  readonly scans: number
  readonly platforms: ReadonlyArray<Counted & { readonly platform: PlatformId }>
}

interface Report {
  readonly month: string
  readonly organizations: ReadonlyArray<Used>
}

/** Usage and known cost. `unpriced` counts the answers and charges whose cost is unknown. */
export const spendingJson = (
  { answers, charges, costUsd, inputTokens, outputTokens, searches, unpriced }: Spending
) => ({
  answers,
  charges,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  searches,
  cost_usd: costUsd,
  unpriced
})

const counted = ({ calls, ...spending }: Counted) => ({ calls, ...spendingJson(spending) })

const nothing: Counted = {
  answers: 0,
  calls: 0,
  charges: 0,
  inputTokens: 0,
  outputTokens: 0,
  searches: 0,
  costUsd: 0,
  unpriced: 0
}

const add = (a: Counted, b: Counted): Counted => ({
  answers: a.answers + b.answers,
  calls: a.calls + b.calls,
  charges: a.charges + b.charges,
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  searches: a.searches + b.searches,
  costUsd: a.costUsd + b.costUsd,
  unpriced: a.unpriced + b.unpriced
})

const organizationUsageJson = ({ organization: { id, name, slug }, platforms, scans }: Used) => ({
  organization_id: id,
  slug,
  name,
  scans,
  ...counted(platforms.reduce(add, nothing)),
  platforms: platforms.map((one) => ({ platform: one.platform, ...counted(one) }))
})

/** The usage of a month. */
export const usageJson = ({ month, organizations }: Report) => ({
  month,
  organizations: organizations.map(organizationUsageJson),
  total: {
    scans: organizations.reduce((sum, { scans }) => sum + scans, 0),
    ...counted(organizations.flatMap(({ platforms }) => platforms).reduce(add, nothing))
  }
})

/**
 * The usage of a month as CSV. Each organization has one line for all platforms (`platform` is empty), and one line per
 * platform (`scans` is empty).
 */
export const usageCsv = (report: Report, separator?: CsvSeparator): string => {
  const names = Object.keys(counted(nothing))
  const { month, organizations } = usageJson(report)
  return [
    csvLine(["month", "organization_id", "organization", "name", "platform", "scans", ...names], separator),
    ...organizations.flatMap(({ name, organization_id: id, platforms, slug, ...all }) =>
      [{ ...all, platform: "" }, ...platforms.map((one) => ({ ...one, scans: null }))].map((line) =>
        csvLine(
          [month, id, slug, name, line.platform, line.scans, ...names.map((one) => line[one as "calls"])],
          separator
        )
      )
    )
  ].join("")
}
