import { checkCard, checkedCardJson } from "@sov/core/card"
import { wholeHistory } from "@sov/core/organizations"
import { actionMarkJson, actionReportJson, markAction, readActions, unmarkAction } from "@sov/core/sources"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { type ActionList, type ActionMark, type ClaimList, NewActionMark } from "../contract/actionResources.ts"
import { CurrentCaller } from "../contract/Authorization.ts"
import { InvalidRequest, NoCompletedScan, ResourceNotFound } from "../contract/problems.ts"
import { decodeJsonBody } from "./jsonBody.ts"
import { orUnavailable, respondJson } from "./respond.ts"

/** GET /api/v1/actions */
export const getActions = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const found: typeof ActionList.Encoded = actionReportJson(yield* readActions(organization.id, wholeHistory))
    return yield* respondJson(found, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)

/** GET /api/v1/card/claims */
export const getClaims = Effect.fnUntraced(
  function*() {
    const { organization } = yield* CurrentCaller
    const found: typeof ClaimList.Encoded = checkedCardJson(yield* checkCard(organization.id, wholeHistory, 1))
    return yield* respondJson(found, organization.id)
  },
  Effect.catchTag("NoCompletedScan", () => Effect.fail(new NoCompletedScan({}))),
  orUnavailable
)

const readMark = decodeJsonBody(NewActionMark)

interface OfAction {
  readonly params: { readonly id: string }
}

/** POST /api/v1/actions/{id}/mark */
export const postMark = Effect.fnUntraced(
  function*({ params: { id } }: OfAction) {
    const { organization } = yield* CurrentCaller
    const given = yield* readMark
    if (given === null) {
      return yield* new InvalidRequest({ errors: [{ path: ["body"], message: "must have a state" }] })
    }
    const marked: typeof ActionMark.Encoded = actionMarkJson(
      yield* markAction(organization.id, id.toLowerCase(), given.state, given.days)
    )
    return HttpServerResponse.jsonUnsafe(marked, { status: 201 })
  },
  Effect.catchTags({
    NotFound: ({ message }) => Effect.fail(new ResourceNotFound({ detail: message })),
    Rejected: ({ field, message }) => Effect.fail(new InvalidRequest({ errors: [{ path: ["body", field], message }] }))
  }),
  orUnavailable
)

/** DELETE /api/v1/actions/{id}/mark */
export const deleteMark = Effect.fnUntraced(
  function*({ params: { id } }: OfAction) {
    const { organization } = yield* CurrentCaller
    return actionMarkJson(yield* unmarkAction(organization.id, id.toLowerCase()))
  },
  Effect.catchTag("NotFound", ({ message }) => Effect.fail(new ResourceNotFound({ detail: message }))),
  orUnavailable
)
