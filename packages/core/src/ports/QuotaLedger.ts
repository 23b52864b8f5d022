import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** QuotaLedger counts the manual scans of each month, exactly, even when processes start scans concurrently. */
export class QuotaLedger extends Context.Service<QuotaLedger, {
  /**
   * Uses one unit of `period` (`YYYY-MM`) if fewer than `limit` are used. Returns the number used afterwards; null if
   * no unit was left.
   */
  readonly take: (
    organizationId: OrganizationId,
    period: string,
    limit: number
  ) => Effect.Effect<number | null, StoreError>
  /** Returns one unit to the quota; the count never goes below 0. */
  readonly release: (organizationId: OrganizationId, period: string) => Effect.Effect<void, StoreError>
  readonly used: (organizationId: OrganizationId, period: string) => Effect.Effect<number, StoreError>
}>()("@sov/core/ports/QuotaLedger") {}
