/** Actions as clients see them, over REST and in `sov actions list --json`. */
import { roundHalfUp, roundPoints } from "../domain/scoring/Score.ts"
import type { ActionMark, ListedAction } from "../domain/sources/actions/ActionMark.ts"
import { type ActionNames, describeAction, effectOf } from "../domain/sources/actions/describeAction.ts"
import type { FoundReport } from "../domain/sources/actions/FoundReport.ts"
import { simulatedJson } from "./simulated.ts"

/** The actions and marks that `readActions` returns, with the names that actions mention. */
interface ActionReport
  extends Pick<FoundReport, "scans" | "asOf" | "answers" | "candidates" | "simulated">, ActionNames
{
  readonly actions: ReadonlyArray<ListedAction>
  readonly marks: ReadonlyArray<ActionMark>
}

/** One action. Figures are percentages and points with one decimal. */
export const actionJson = (action: ListedAction, names: ActionNames) => ({
  id: action.id,
  rule: action.rule,
  ...describeAction(action, names),
  subject: action.subject,
  answers: action.answers,
  keyword_ids: action.keywords,
  platforms: action.platforms,
  competitor_ids: action.rivals,
  answer_ids: action.examples,
  rate_here: roundHalfUp(action.here, 1),
  rate_elsewhere: roundHalfUp(action.elsewhere, 1),
  effect_points_95: action.effect === null
    ? null
    : { low: roundPoints(action.effect.low), high: roundPoints(action.effect.high) },
  effect_of: effectOf(action),
  back: action.back === null ? null : { from: action.back.state, since: action.back.since.toISOString() }
})

/** What the organization decided about an action. */
export const actionMarkJson = ({ id, markedAt, rule, state, title, until }: ActionMark) => ({
  id,
  rule,
  title,
  state,
  until: until?.toISOString() ?? null,
  marked_at: markedAt.toISOString()
})

/** All actions of a report, including dismissed ones. */
export const actionReportJson = (report: ActionReport) => ({
  scans: report.scans,
  as_of: new Date(report.asOf).toISOString(),
  answers: report.answers,
  candidates: report.candidates,
  actions: report.actions.map((action) => actionJson(action, report)),
  marked: report.marks.map(actionMarkJson),
  ...simulatedJson(report.simulated)
})
