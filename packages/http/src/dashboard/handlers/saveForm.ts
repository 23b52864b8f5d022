import { runOnce } from "@sov/core/audit"
import { editUnchanged } from "@sov/core/common"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import type { Html } from "../html.ts"
import type { DoneCode } from "../pages/done.ts"
import { isAsSeen, readFormId } from "./forms.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

/**
 * Saves a form only once, however often it is sent, and only if the edited object is still as the form showed it.
 * `read` returns the object as text. Fails with DoneBefore or ChangedMeanwhile, or with an error of `read` or `edit`.
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

/** A form with the page that follows it. */
interface Submission<A, E, R, E2, R2, E3, R3> {
  readonly read: Effect.Effect<string, E2, R2>
  readonly edit: Effect.Effect<A, E, R>
  /** Page of the organization to redirect to, as a path. */
  readonly to: "" | `/${string}`
  readonly done: (result: A) => DoneCode
  /** The message on that page if the form was sent before. */
  readonly before?: DoneCode
  /** The page that shows the form again, with status 409, if somebody else has changed the object. */
  readonly changed: Effect.Effect<Html, E3, R3>
}

/** Saves a form with `saveForm`, then redirects. Fails with an error of `read`, `edit` or `changed`. */
export const submitForm = <
  A,
  E extends { readonly _tag: string },
  R,
  E2 extends { readonly _tag: string },
  R2,
  E3,
  R3
>(
  request: OrganizationRequest,
  { before = "sent-before", changed, done, edit, read, to }: Submission<A, E, R, E2, R2, E3, R3>
) =>
  saveForm(request, read, edit).pipe(
    Effect.map((result) => redirectTo(request, to, done(result))),
    Effect.catchTag("DoneBefore", () => Effect.succeed(redirectTo(request, to, before))),
    Effect.catchTag("ChangedMeanwhile", () => replyWithPage(changed, { status: 409 }))
  )
