/** BacklogStore reads the open cells and the last activity of running scans. It changes nothing. */
import { Context, type Effect } from "effect"
import type { OrganizationId, ScanId } from "../domain/ids.ts"
import type { Backlog, PlatformBacklog } from "../domain/scanning/Backlog.ts"
import type { StoreError } from "./StoreError.ts"

export class BacklogStore extends Context.Service<BacklogStore, {
  /** The open cells of a scan at `now`, by platform. */
  readonly listOpen: (
    organizationId: OrganizationId,
    scanId: ScanId,
    now: Date
  ) => Effect.Effect<ReadonlyArray<PlatformBacklog>, StoreError>
  /** Like `listOpen` for one scan, with its last activity, for which all cells and answers of the scan are read. */
  readonly ofScan: (organizationId: OrganizationId, scanId: ScanId, now: Date) => Effect.Effect<Backlog, StoreError>
}>()("@sov/core/ports/BacklogStore") {}
