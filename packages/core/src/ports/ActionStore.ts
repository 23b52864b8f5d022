import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Action } from "../domain/sources/actions/Action.ts"
import type { ActionMark } from "../domain/sources/actions/ActionMark.ts"
import type { FoundReport } from "../domain/sources/actions/FoundReport.ts"
import type { StoreError } from "./StoreError.ts"

/** ActionStore keeps what an organization decided about actions, and the actions that were found last. */
export class ActionStore extends Context.Service<ActionStore, {
  /** All marks, the newest first. */
  readonly listMarks: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ActionMark>, StoreError>
  /** Sets the mark of its action, in place of an earlier one. */
  readonly mark: (organizationId: OrganizationId, mark: ActionMark) => Effect.Effect<void, StoreError>
  /** Returns the removed mark; null where the action has no mark. */
  readonly unmark: (organizationId: OrganizationId, id: Action["id"]) => Effect.Effect<ActionMark | null, StoreError>
  /** What `keep` kept last; null before that, and where another release of the rules kept it. */
  readonly kept: (organizationId: OrganizationId) => Effect.Effect<FoundReport | null, StoreError>
  /** Keeps a report in place of the one before. */
  readonly keep: (organizationId: OrganizationId, report: FoundReport) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/ActionStore") {}
