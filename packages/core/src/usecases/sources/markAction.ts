import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { wholeHistory } from "../../domain/organizations/HistoryWindow.ts"
import { type ActionMark, type ActionState, laterDays } from "../../domain/sources/actions/ActionMark.ts"
import { describeAction } from "../../domain/sources/actions/describeAction.ts"
import { ActionStore } from "../../ports/ActionStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"
import { now } from "../now.ts"
import { readActions } from "./readActions.ts"

const dayMs = 86_400_000

/** The rule and title of an action that was found or is already marked. */
const findMarkable = Effect.fnUntraced(function*(organizationId: OrganizationId, id: string) {
  const store = yield* ActionStore
  if ((yield* store.kept(organizationId)) === null) {
    yield* readActions(organizationId, wholeHistory).pipe(Effect.catchTag("NoCompletedScan", () => Effect.void))
  }
  const kept = yield* store.kept(organizationId)
  const found = kept?.actions.find((one) => one.id === id)
  if (kept !== null && found !== undefined) return { rule: found.rule, title: describeAction(found, kept).title }
  const marked = (yield* store.listMarks(organizationId)).find((one) => one.id === id)
  return marked ?? (yield* new NotFound({ what: "action", id }))
})

/**
 * Marks an action, replacing an earlier mark. `days` is only for `later`, 1 to `laterDays.most`. Fails with NotFound,
 * or with Rejected (`days`).
 */
export const markAction = Effect.fn("markAction")(
  function*(organizationId: OrganizationId, id: string, state: ActionState, days: number = laterDays.usual) {
    if (!Number.isInteger(days) || days < 1 || days > laterDays.most) {
      return yield* new Rejected({ field: "days", message: `must be a whole number from 1 to ${laterDays.most}` })
    }
    const { rule, title } = yield* findMarkable(organizationId, id)
    const markedAt = yield* now
    const until = state === "later" ? new Date(markedAt.getTime() + days * dayMs) : null
    const mark: ActionMark = { id, rule, title, state, until, markedAt }
    return yield* runActs(
      organizationId,
      Effect.flatMap(ActionStore, (store) => Effect.as(store.mark(organizationId, mark), mark)),
      () => [{ action: "action.marked", subjectId: id, detail: { title, state, until: until?.toISOString() ?? null } }]
    )
  }
)

/** Removes the mark of an action, so that the action is listed again, and returns the mark. Fails with NotFound. */
export const unmarkAction = Effect.fn("unmarkAction")(function*(organizationId: OrganizationId, id: string) {
  const remove = Effect.flatMap(ActionStore, (store) => store.unmark(organizationId, id)).pipe(
    Effect.flatMap((mark) => mark === null ? Effect.fail(new NotFound({ what: "action", id })) : Effect.succeed(mark))
  )
  return yield* runActs(
    organizationId,
    remove,
    ({ state, title }) => [{ action: "action.unmarked", subjectId: id, detail: { title, state } }]
  )
})
