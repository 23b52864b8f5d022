/** sov org usage: the usage of organizations in one month. */
import { readUsage, usageCsv, usageJson } from "@sov/core/organizations"
import { formatDollars } from "@sov/core/platforms"
import { writeOut } from "../../output/writeOut.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const grouped = (count: number): string => count.toLocaleString("en-US")

/** Runs `sov org usage [SLUG]`. */
export const usage = (options: GlobalOptions & { readonly month?: string }, slug: string | undefined) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const report = yield* readUsage({
      ...options.month === undefined ? {} : { month: options.month },
      ...slug === undefined ? {} : { organization: slug }
    })
    if (out.format === "csv") return yield* writeOut(usageCsv(report))
    const body = usageJson(report)
    out.list(body.organizations, [
      { header: "ORG", cell: (row) => row.slug },
      { header: "SCANS", cell: (row) => grouped(row.scans) },
      { header: "CALLS", cell: (row) => grouped(row.calls) },
      { header: "ANSWERS", cell: (row) => grouped(row.answers) },
      { header: "TOKENS", cell: (row) => grouped(row.input_tokens + row.output_tokens) },
      { header: "COST", cell: (row) => `${formatDollars(row.cost_usd)}${row.unpriced > 0 ? " or more" : ""}` }
    ], { wrap: body, empty: "No organization yet: sov init sets one up." })
    if (!out.machine) {
      const { answers, cost_usd: cost, scans } = body.total
      out.note(
        `${body.month} (UTC): ${grouped(scans)} scans, ${grouped(answers)} answers, ${formatDollars(cost)}. ` +
          "Simulated and imported answers are not counted."
      )
    }
  })
