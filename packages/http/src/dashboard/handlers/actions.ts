/** Actions: the list of what to do next, and the decisions about each action. */
import { makeFormId, runOnce } from "@sov/core/audit"
import {
  actionJson,
  type ActionState,
  haveNamesChanged,
  laterDays,
  markAction,
  readActions,
  unmarkAction
} from "@sov/core/sources"
import { Effect, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv } from "../guard/Reply.ts"
import { actionsPage, decisionList } from "../pages/actions.ts"
import type { DoneCode } from "../pages/done.ts"
import { readChoice, readFormId, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const path = "/actions"

const read = ({ organization, window }: OrganizationRequest) =>
  readActions(organization.id, window).pipe(Effect.catchTag("NoCompletedScan", () => Effect.succeed(null)))

/** GET /o/{slug}/actions?q=&sort=&page= */
export const showActions = (request: OrganizationRequest) =>
  replyWithPage(Effect.gen(function*() {
    const view = yield* readListView(request, decisionList)
    const report = yield* read(request)
    const namesChanged = report?.actions.length === 0 &&
      (yield* haveNamesChanged(request.organization.id, request.window))
    const content = report === null ? null : { report, view, namesChanged, formId: yield* makeFormId }
    return actionsPage(request.frame, content)
  }))

/** GET /o/{slug}/actions.csv: one line per action. */
export const downloadActions = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const report = yield* read(request)
  const rows = report === null ? [] : report.actions.map((action) => actionJson(action, report))
  type Row = typeof rows[number]
  return sendCsv<Row>("actions.csv", {
    ...columnsOf<Row>("id", "rule", "title", "why", "subject", "answers", "rate_here", "rate_elsewhere"),
    effect_low: ({ effect_points_95 }) => effect_points_95?.low,
    effect_high: ({ effect_points_95 }) => effect_points_95?.high,
    answer_ids: ({ answer_ids }) => answer_ids.join(" "),
    simulated: () => report?.simulated
  }, rows)
})

const State = Schema.Literals(["done", "dismissed", "later"])
const codes: { readonly [S in ActionState]: DoneCode } = {
  done: "action-done",
  dismissed: "action-dismissed",
  later: "action-later"
}

/** POST /o/{slug}/actions/{id}/mark */
export const saveActionMark = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, params } = request
  const formId = yield* readFormId(request)
  const state = yield* readChoice(request, "state", State)
  const days = state === "later" ? Number(readText(request, "days") || laterDays.usual) : laterDays.usual
  return yield* runOnce(organization.id, formId, markAction(organization.id, params["id"] ?? "", state, days)).pipe(
    Effect.catchTags({
      DoneBefore: () => Effect.void,
      Rejected: ({ field, message }) => Effect.fail(new PageRefused({ status: 422, words: `The ${field} ${message}.` }))
    }),
    Effect.as(redirectTo(request, path, codes[state]))
  )
})

/** POST /o/{slug}/actions/{id}/undo */
export const undoActionMark = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, params } = request
  const formId = yield* readFormId(request)
  return yield* runOnce(organization.id, formId, unmarkAction(organization.id, params["id"] ?? "")).pipe(
    Effect.catchTag("DoneBefore", () => Effect.void),
    Effect.as(redirectTo(request, path, "action-undone"))
  )
})
