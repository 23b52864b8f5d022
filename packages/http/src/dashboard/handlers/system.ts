import { listOrganizations, readSystemStatus } from "@sov/core"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { systemPage } from "../pages/system.ts"
import { requireOperator } from "./operator.ts"

/** GET /o/{slug}/settings/system */
export const showSystem = Effect.fnUntraced(function*(request: OrganizationRequest) {
  yield* requireOperator(request)
  return showPage(systemPage(request.frame, {
    status: yield* readSystemStatus(),
    names: new Map((yield* listOrganizations()).map(({ id, name }) => [id, name])),
    canMail: request.mailOrigin !== null
  }))
})
