import { checkCard, checkedCardJson } from "@sov/core/card"
import { wholeHistory } from "@sov/core/organizations"
import { actionMarkJson, actionReportJson, markAction, readActions, unmarkAction } from "@sov/core/sources"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { type ActionList, type ActionMark, type ClaimList, NewActionMark } from "../contract/actionResources.ts"
import { CurrentCaller } from "../contract/Authorization.ts"
import { requireJsonBody } from "./jsonBody.ts"
import { orProblem, respondJson } from "./respond.ts"

/** GET /api/v1/actions */
export const getActions = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const report = actionReportJson(yield* readActions(organization.id, wholeHistory))
    const found: typeof ActionList.Encoded = {
      ...report,
      actions: report.actions.map((one) => ({ ...one, experiment: null }))
    }
    return yield* respondJson(found, organization.id)
  },
  orProblem
)

/** GET /api/v1/card/claims */
export const getClaims = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const found: typeof ClaimList.Encoded = checkedCardJson(yield* checkCard(organization.id, wholeHistory, 1))
    return yield* respondJson(found, organization.id)
  },
  orProblem
)

const readMark = requireJsonBody(NewActionMark)

interface OfAction {
  readonly params: { readonly id: string }
}

/** POST /api/v1/actions/{id}/mark */
export const postMark = Effect.fnUntraced(
  function*({ params: { id } }: OfAction) {
    const { organization } = yield* CurrentCaller
    const given = yield* readMark
    const marked: typeof ActionMark.Encoded = actionMarkJson(
      yield* markAction(organization.id, id.toLowerCase(), given.state, given.days)
    )
    return HttpServerResponse.jsonUnsafe(marked, { status: 201 })
  },
  orProblem
)

/** DELETE /api/v1/actions/{id}/mark */
export const deleteMark = Effect.fnUntraced(
  function*({ params: { id } }: OfAction) {
    const { organization } = yield* CurrentCaller
    return actionMarkJson(yield* unmarkAction(organization.id, id.toLowerCase()))
  },
  orProblem
)
