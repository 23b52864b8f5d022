/**
 * An organization's decision about an action. A marked action is removed from the list until one of the stated reasons
 * brings it back.
 */
import { Schema } from "effect"
import { Action, maxActions } from "./Action.ts"
import { actionRules, actionStates, laterDays } from "./actionNames.ts"

export { laterDays }
export type ActionState = (typeof actionStates)[number]

export const ActionMark = Schema.Struct({
  id: Action.fields.id,
  rule: Schema.Literals(actionRules),
  /** The action's title in the list. */
  title: Schema.String,
  state: Schema.Literals(actionStates),
  /** When `later` ends; null for other states. */
  until: Schema.NullOr(Schema.Date),
  markedAt: Schema.Date
})
export type ActionMark = typeof ActionMark.Type

/**
 * An action that was marked as done and that later answers alone show again. Valid only for the mark made at
 * `markedAt`.
 */
export interface SeenAgain {
  readonly id: Action["id"]
  readonly markedAt: number
}

/** A listed action. If it was marked and has returned, `back` contains the state and time of its mark. */
export interface ListedAction extends Action {
  readonly back: { readonly state: "done" | "later"; readonly since: Date } | null
}

/** The actions that are still listed at `now` after the marks are applied, at most `maxActions`. */
export const listUnmarked = (
  actions: ReadonlyArray<Action>,
  marks: ReadonlyArray<ActionMark>,
  again: ReadonlyArray<SeenAgain>,
  now: Date
): ReadonlyArray<ListedAction> =>
  actions.flatMap((action): ReadonlyArray<ListedAction> => {
    const mark = marks.find(({ id }) => id === action.id)
    if (mark === undefined) return [{ ...action, back: null }]
    const { id, markedAt, state, until } = mark
    const isBack = state === "later"
      ? until !== null && until <= now
      : state === "done" && again.some((one) => one.id === id && one.markedAt === markedAt.getTime())
    return isBack && state !== "dismissed" ? [{ ...action, back: { state, since: markedAt } }] : []
  }).slice(0, maxActions)
