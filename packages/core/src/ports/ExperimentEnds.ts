import { Context, type Effect } from "effect"
import type { ExperimentId, OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** An end of an experiment that was not announced yet. */
export interface DueEnd {
  readonly organizationId: OrganizationId
  readonly experimentId: ExperimentId
  readonly dueAt: Date
}

/** ExperimentEnds stores which experiments still have to be announced as ended, and from when. */
export class ExperimentEnds extends Context.Service<ExperimentEnds, {
  /** Joins the caller's transaction. Fails with `constraint` if the experiment has a row. */
  readonly insert: (
    organizationId: OrganizationId,
    experimentId: ExperimentId,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /** Ends due at `until` or earlier, longest due first. */
  readonly listDue: (until: Date) => Effect.Effect<ReadonlyArray<DueEnd>, StoreError>
  /**
   * Removes the row in the caller's transaction, which announces the end: of several callers one gets true, and if it
   * rolls back, another.
   */
  readonly take: (organizationId: OrganizationId, experimentId: ExperimentId) => Effect.Effect<boolean, StoreError>
}>()("@sov/core/ports/ExperimentEnds") {}
