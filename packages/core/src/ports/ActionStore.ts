import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Action } from "../domain/sources/actions/Action.ts"
import type { ActionMark } from "../domain/sources/actions/ActionMark.ts"
import type { FoundReport } from "../domain/sources/actions/FoundReport.ts"
import type { StoreError } from "./StoreError.ts"

/** ActionStore stores an organization's decisions about actions, and the newest list of actions. */
export class ActionStore extends Context.Service<ActionStore, {
  /** All marks, newest first. */
  readonly listMarks: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ActionMark>, StoreError>
  /** Sets the mark of an action, replacing an earlier one. */
  readonly mark: (organizationId: OrganizationId, mark: ActionMark) => Effect.Effect<void, StoreError>
  /** Returns the removed mark; null if the action has no mark. */
  readonly unmark: (organizationId: OrganizationId, id: Action["id"]) => Effect.Effect<ActionMark | null, StoreError>
  /**
   * The report that `keep` stored last; null if there is no report, or if it was made by another version of the rules.
   */
  readonly kept: (organizationId: OrganizationId) => Effect.Effect<FoundReport | null, StoreError>
  /** Stores a report, replacing the previous one. */
  readonly keep: (organizationId: OrganizationId, report: FoundReport) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/ActionStore") {}
