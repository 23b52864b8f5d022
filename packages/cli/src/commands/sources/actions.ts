/** sov actions list: what to do next, with receipts. */
import { pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { roundPoints } from "@sov/core/scoring"
import { actionJson, readActions } from "@sov/core/sources"
import { Effect } from "effect"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { printable } from "../../output/Output.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** sov actions list */
export const list = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const report = yield* readActions(organization.id, wholeHistory)
      const rows = report.actions.map((action) => actionJson(action, report))
      const [{ simulated }] = report.scans
      if (out.format === "json") {
        return out.result({
          scans: report.scans.map(({ id }) => id),
          answers: report.answers,
          candidates: report.candidates,
          actions: rows,
          ...simulated ? { simulated } : {}
        }, () => "")
      }
      if (out.format !== "table") return out.list(rows, [], { empty: "" })
      out.line(
        `${pluralized(report.answers, "answer")} of ${pluralized(report.scans.length, "scan")}${
          simulated ? ` · ${out.style("yellow", "SIMULATED")}` : ""
        }`
      )
      rows.forEach((row, n) => {
        const effect = row.effect_points_95
        out.line()
        out.line(out.style("bold", `${n + 1}. ${printable(row.title)}`))
        out.line(`   ${printable(row.why)}`)
        if (effect !== null) {
          out.line(
            `   ${roundPoints(effect.low)} to ${roundPoints(effect.high)} points on ${
              pluralized(row.keyword_ids.length, "question")
            } may be in it: an association, not a cause`
          )
        }
        out.line(`   ${pluralized(row.answers, "answer")}, such as: sov archive show ${row.answer_ids[0] ?? ""}`)
      })
      out.line()
      out.line(
        rows.length === 0
          ? `None of ${pluralized(report.candidates, "candidate")} differs by more than chance: nothing to do.`
          : `${rows.length} of ${pluralized(report.candidates, "candidate")} differ by more than chance.`
      )
    }))
