import { runOnce } from "@sov/core/audit"
import { editUnchanged } from "@sov/core/common"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { isAsSeen, readFormId } from "./forms.ts"

/**
 * Does what a form asks for: once, however often it is sent, and only where what it is about, as text, is still what it
 * has shown. Fails with DoneBefore or ChangedMeanwhile, and as `read` and `edit` do.
 */
export const saveForm = Effect.fnUntraced(
  function*<A, E extends { readonly _tag: string }, R, E2 extends { readonly _tag: string }, R2>(
    request: OrganizationRequest,
    read: Effect.Effect<string, E2, R2>,
    edit: Effect.Effect<A, E, R>
  ) {
    const { organization: { id } } = request
    const isUnchanged = Effect.map(read, (now) => isAsSeen(request, now))
    return yield* runOnce(id, yield* readFormId(request), editUnchanged(id, isUnchanged, edit))
  }
)
