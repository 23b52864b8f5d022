/** sov actions: recommended next steps, with receipts. */
import { pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { roundPoints } from "@sov/core/scoring"
import {
  actionMarkJson,
  actionReportJson,
  type ActionState,
  laterDays,
  markAction,
  readActions,
  unmarkAction
} from "@sov/core/sources"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { integerOption } from "../../input/integerOption.ts"
import { printable } from "../../output/Output.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

const stateWords: { readonly [S in ActionState]: string } = { done: "done", dismissed: "not for us", later: "later" }

/** Runs `sov actions list`. */
export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const report = actionReportJson(yield* readActions(organization.id, wholeHistory))
    const { actions, answers, candidates, marked, scans, simulated } = report
    if (out.format === "json") return out.result(report, () => "")
    if (out.format !== "table") return out.list(actions, [], { empty: "" })
    out.line(
      `${pluralized(answers, "answer")} of ${pluralized(scans.length, "scan")}${
        simulated === true ? ` · ${out.style("yellow", "SIMULATED")}` : ""
      }`
    )
    actions.forEach((row, n) => {
      const effect = row.effect_points_95
      out.line()
      out.line(out.style("bold", `${n + 1}. ${printable(row.title)}`))
      out.line(`   ${printable(row.why)}`)
      if (row.back !== null) {
        out.line(
          row.back.from === "done"
            ? `   Back: marked done on ${row.back.since.slice(0, 10)}, and answers since then show it again`
            : `   Back: put off on ${row.back.since.slice(0, 10)}`
        )
      }
      if (effect !== null) {
        out.line(
          `   The gap is ${roundPoints(effect.low)} to ${roundPoints(effect.high)} points of answers that ${
            row.effect_of === "cited" ? "cite it" : "name you"
          }, on ${
            pluralized(row.keyword_ids.length, "question")
          }: an association, not a cause; a change may close less of it, or nothing`
        )
      }
      out.line(`   ${pluralized(row.answers, "answer")}, such as: sov archive show ${row.answer_ids[0] ?? ""}`)
      out.line(`   sov actions done ${row.id} · dismiss · later`)
    })
    out.line()
    out.line(
      actions.length > 0
        ? `${actions.length} of ${pluralized(candidates, "candidate")} ${
          actions.length === 1 ? "differs" : "differ"
        } by more than chance${marked.length > 0 ? ", besides those decided" : ""}.`
        : marked.length > 0
        ? `Nothing else to do: ${pluralized(marked.length, "action")} decided.`
        : `None of ${pluralized(candidates, "candidate")} differs by more than chance: nothing to do.`
    )
    for (const one of marked) {
      out.line(
        `${stateWords[one.state]} since ${one.marked_at.slice(0, 10)}${
          one.until === null ? "" : ` until ${one.until.slice(0, 10)}`
        }: ${printable(one.title)} (sov actions undo ${one.id})`
      )
    }
  })

const after: { readonly [S in ActionState]: string } = {
  done: "It comes back when later answers alone show it again.",
  dismissed: "It stays away.",
  later: ""
}

/** Runs `sov actions done, dismiss and later`. */
export const mark = (options: GlobalOptions & { readonly days?: string }, id: string, state: ActionState) =>
  runCommand(options, {}, function*({ out }) {
    const days = options.days === undefined
      ? laterDays.usual
      : yield* integerOption("--days", options.days, 1, laterDays.most)
    const organization = yield* currentOrganization(options)
    const marked = yield* markAction(organization.id, id.toLowerCase(), state, days)
    out.result(
      actionMarkJson(marked),
      () =>
        `${stateWords[state]}: ${printable(marked.title)}. ${
          marked.until === null ? after[state] : `It comes back on ${marked.until.toISOString().slice(0, 10)}.`
        } Undo: sov actions undo ${marked.id}`
    )
  })

/** Runs `sov actions undo`. */
export const undo = (options: GlobalOptions, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const removed = yield* unmarkAction(organization.id, id.toLowerCase())
    out.result(actionMarkJson(removed), () => `No longer ${stateWords[removed.state]}: ${printable(removed.title)}`)
  })
