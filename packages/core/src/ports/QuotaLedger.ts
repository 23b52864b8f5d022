import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** QuotaLedger counts the manual scans of each month, exactly, also when processes start scans concurrently. */
export class QuotaLedger extends Context.Service<QuotaLedger, {
  /**
   * Takes one unit of `period` (`YYYY-MM`) if fewer than `limit` are used: how many then are, null when it took none.
   */
  readonly take: (
    organizationId: OrganizationId,
    period: string,
    limit: number
  ) => Effect.Effect<number | null, StoreError>
  /** Gives one unit back; never below 0. */
  readonly release: (organizationId: OrganizationId, period: string) => Effect.Effect<void, StoreError>
  readonly used: (organizationId: OrganizationId, period: string) => Effect.Effect<number, StoreError>
}>()("@sov/core/ports/QuotaLedger") {}
