/** UpkeepStore removes rows whose retention time is over. */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import { defaultRetention, type RetainedKind, type Retention, type RetentionCut } from "../domain/workers/retention.ts"
import type { StoreError } from "./StoreError.ts"

/** How many days rows are kept, according to the operator's settings. */
export const RetentionSetting = Context.Reference<Retention>("@sov/core/ports/RetentionSetting", {
  defaultValue: () => defaultRetention
})

export class UpkeepStore extends Context.Service<UpkeepStore, {
  /** Counts the rows of the organization that `prune` would remove. */
  readonly count: (
    organizationId: OrganizationId,
    kind: RetainedKind,
    cut: RetentionCut
  ) => Effect.Effect<number, StoreError>
  /**
   * Removes at most `limit` rows in one statement, and returns their number. Null if this process's role may not remove
   * them: a worker's role, for example, may not remove share links.
   */
  readonly prune: (
    organizationId: OrganizationId,
    kind: RetainedKind,
    cut: RetentionCut,
    limit: number
  ) => Effect.Effect<number | null, StoreError>
}>()("@sov/core/ports/UpkeepStore") {}
