import { Context, type Effect } from "effect"
import type { ExperimentId, OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** The end of an experiment that has not been announced yet. */
export interface DueEnd {
  readonly organizationId: OrganizationId
  readonly experimentId: ExperimentId
  readonly dueAt: Date
}

/** ExperimentEnds stores which experiments must still be announced as ended, and from when. */
export class ExperimentEnds extends Context.Service<ExperimentEnds, {
  /**
   * Adds an end that must be announced. Joins the caller's transaction. Fails with `constraint` if the experiment
   * already has a row.
   */
  readonly insert: (
    organizationId: OrganizationId,
    experimentId: ExperimentId,
    dueAt: Date
  ) => Effect.Effect<void, StoreError>
  /** Ends due at `until` or earlier, longest due first. */
  readonly listDue: (until: Date) => Effect.Effect<ReadonlyArray<DueEnd>, StoreError>
  /**
   * Removes the row in the caller's transaction, which announces the end. Only one of several callers gets true; if its
   * transaction rolls back, another caller does.
   */
  readonly take: (organizationId: OrganizationId, experimentId: ExperimentId) => Effect.Effect<boolean, StoreError>
}>()("@sov/core/ports/ExperimentEnds") {}
