import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { TrafficDay, TrafficLine, TrafficPage, TrafficRange } from "../domain/traffic/AiTraffic.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * TrafficStore stores daily counts of AI traffic, and the ids of the counted log lines, so that no line is counted
 * twice. It never receives an address, a query or a user agent.
 */
export class TrafficStore extends Context.Service<TrafficStore, {
  /**
   * Counts the lines that were not counted yet, and returns them. The call is atomic, so it can be repeated after any
   * failure. `sources` is the version of the table that recognised the lines.
   */
  readonly add: (
    organizationId: OrganizationId,
    lines: ReadonlyArray<TrafficLine>,
    sources: string
  ) => Effect.Effect<ReadonlyArray<TrafficLine>, StoreError>
  /** The lines that were not counted yet, and that `add` would therefore count. */
  readonly listUncounted: (
    organizationId: OrganizationId,
    lines: ReadonlyArray<TrafficLine>
  ) => Effect.Effect<ReadonlyArray<TrafficLine>, StoreError>
  /** Counts by signal, source and day, sorted in this order. */
  readonly days: (
    organizationId: OrganizationId,
    range: TrafficRange
  ) => Effect.Effect<ReadonlyArray<TrafficDay>, StoreError>
  /**
   * For each signal, the `limit` landing pages with the most requests, sorted by descending number; crawlers have no
   * landing pages.
   */
  readonly pages: (
    organizationId: OrganizationId,
    range: TrafficRange,
    limit: number
  ) => Effect.Effect<ReadonlyArray<TrafficPage>, StoreError>
  /** Versions of the tables that recognised the counted lines, ascending. */
  readonly sources: (
    organizationId: OrganizationId,
    range: TrafficRange
  ) => Effect.Effect<ReadonlyArray<string>, StoreError>
}>()("@sov/core/ports/TrafficStore") {}
