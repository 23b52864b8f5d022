/** UpkeepStore removes rows that are kept for a limited time. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import { defaultRetention, type RetainedKind, type Retention, type RetentionCut } from "../domain/workers/retention.ts"
import type { StoreError } from "./StoreError.ts"

/** Days for which rows are kept, as the operator sets them. */
export const RetentionSetting = Context.Reference<Retention>("@sov/core/ports/RetentionSetting", {
  defaultValue: () => defaultRetention
})

export class UpkeepStore extends Context.Service<UpkeepStore, {
  /** Counts rows of the organization that `prune` removes. */
  readonly count: (
    organizationId: OrganizationId,
    kind: RetainedKind,
    cut: RetentionCut
  ) => Effect.Effect<number, StoreError>
  /**
   * Removes at most `limit` rows in one statement, and returns how many. Null: this process's role may not remove them,
   * as that of a worker may not remove share links.
   */
  readonly prune: (
    organizationId: OrganizationId,
    kind: RetainedKind,
    cut: RetentionCut,
    limit: number
  ) => Effect.Effect<number | null, StoreError>
}>()("@sov/core/ports/UpkeepStore") {}
